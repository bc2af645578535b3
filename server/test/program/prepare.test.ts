import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/engines.ts';
import { sources, startProgram } from '../support/program.ts';

const prepare = fileURLToPath(new URL('../../../cli/src/prepare.js', import.meta.url));

it('after an installation, the first start and the first change find everything compiled', async () => {
  using folder = temporaryFolder();
  const cache = join(folder.path, 'cache');
  const env = { NODE_COMPILE_CACHE: cache };
  const compiled = () => readdirSync(cache, { recursive: true }).length;
  const prepared = spawnSync(process.execPath, [prepare], { env: { ...process.env, ...env } });
  expect([prepared.status, String(prepared.stdout), String(prepared.stderr)]).toEqual([0, '', '']);
  const before = compiled();
  expect(before).toBeGreaterThan(1_000);

  const program = await startProgram(['--port', '0', '--data', join(folder.path, 'data')], {
    program: [process.execPath, sources],
    env,
  });
  expect((await program.request('DELETE /v1/store/orders/2', { key: program.key })).status).toBe(204);
  expect((await program.stop('SIGTERM')).code).toBe(0);
  // The file that begins the program, which no import can reach without running it.
  expect(compiled() - before).toBe(1);
});
