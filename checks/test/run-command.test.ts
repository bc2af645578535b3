import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { testContext } from '../../server/test/support/command.ts';
import { temporaryFolder } from '../../server/test/support/engines.ts';
import { spawnProgram } from '../../server/test/support/program.ts';
import { runCommand } from '../src/engine/run-command.ts';

/** Records the process that it leaves behind in a separate session, with its output still open. */
const leaving = `
  const { spawn } = require('node:child_process');
  const stay = 'setInterval(() => {}, 1000)';
  const left = spawn(process.execPath, ['-e', stay], { detached: true, stdio: 'inherit' });
  left.unref();
  const { renameSync, writeFileSync } = require('node:fs');
  writeFileSync(process.argv[1] + '-part', String(left.pid));
  renameSync(process.argv[1] + '-part', process.argv[1]);`;

/** `isLate`: the time limit expires as soon as the program has printed the process that it leaves behind. */
async function run(script: string, isLate = false) {
  const { env, interruption } = testContext().context;
  using folder = temporaryFolder();
  const left = join(folder.path, 'left');
  const limits = { env, seconds: 600, interruption: interruption() };
  if (isLate) vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const running = runCommand([process.execPath, '-e', script, left], { ...limits, variables: {} });
  await expect.poll(() => existsSync(left)).toBe(true);
  if (isLate) vi.advanceTimersByTime(600_000);
  vi.useRealTimers();
  const ran = await running;
  // Fails if the other has ended: then it was waited for.
  process.kill(Number(readFileSync(left, 'utf8')), 'SIGKILL');
  return ran;
}

describe('a program that leaves a child process behind', () => {
  it('is judged by its own exit', async () => {
    expect(await run(leaving)).toMatchObject({ code: 0, end: 'exited with code 0', stderr: '' });
  });

  it('is stopped on timeout without waiting for the child', async () => {
    const ran = await run(`${leaving} setInterval(() => {}, 1000);`, true);
    expect(ran).toMatchObject({ code: null, end: 'did not exit within 600 s', stderr: '' });
  });
});

describe.skipIf(process.platform === 'win32')('a check that is interrupted', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'by %s kills every process it started',
    async (signal) => {
      using data = temporaryFolder();
      using seen = temporaryFolder();
      const staying = `
      require('node:fs').writeFileSync('${seen.path}/' + process.pid, '');
      setInterval(() => {}, 1000);`;
      const args = ['check-suite', '--jobs', '2', '--', process.execPath, '-e', staying];
      const { child, ended, output } = spawnProgram(args, { env: { TMPDIR: data.path } });
      await expect.poll(() => readdirSync(seen.path)).toHaveLength(2);
      // A store and a folder of each run.
      expect(readdirSync(data.path)).toHaveLength(4);
      child.kill(signal);
      await ended;
      expect([child.signalCode, output]).toEqual([signal, { stdout: '', stderr: '' }]);
      expect(readdirSync(data.path)).toEqual([]);
      for (const pid of readdirSync(seen.path)) await expect.poll(() => isRunning(Number(pid))).toBe(false);
    },
  );
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
