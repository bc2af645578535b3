import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { spawnProgram } from '../../server/test/support/program.ts';
import { freePort, isFree } from '../src/engine/free-port.ts';
import { questions } from '../src/gateway/questions/all.ts';
import { askProxy, failed } from './support/gateway/ask-proxy.ts';
import { defects } from './support/gateway/defects.ts';

describe.concurrent('a proxy with one defect', () => {
  it.each(Object.keys(defects))('fails exactly one question: %s', async (name) => {
    const responses = await askProxy(defects[name]?.());
    expect(failed(responses).map((line) => line.replace(/:.*/s, ''))).toEqual([name.replace(/-2$/, '')]);
  });
});

it('every question has a proxy that fails it, except questions about choices or minutes', () => {
  const broken = Object.keys(defects).map((name) => name.replace(/-2$/, ''));
  const without = questions.filter(({ id }) => !broken.includes(id)).map(({ id }) => id);
  expect(without).toEqual(['two-minutes', 'operator-paths']);
});

it('a transparent proxy keeps a stream open for the full slow question', async () => {
  expect(failed(await askProxy(undefined, ['two-minutes']))).toEqual([]);
});

it('the command is killed with the check, even on SIGKILL', async () => {
  const [port, originPort] = [await freePort(), await freePort()];
  const proxyProgram = fileURLToPath(new URL('./support/gateway/run-proxy.ts', import.meta.url));
  const flags = ['--through', `http://127.0.0.1:${port}`, '--origin-port', String(originPort)];
  const command = [process.execPath, proxyProgram, String(port)];
  const { child, ended, output } = spawnProgram(['check-gateway', ...flags, '--', ...command]);
  await expect.poll(() => output.stdout).toContain('PASS');
  child.kill('SIGKILL');
  await ended;
  await expect.poll(() => isFree(port)).toBe(true);
});
