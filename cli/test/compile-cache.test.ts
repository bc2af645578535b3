import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('starts from what an earlier start of the sources compiled', async () => {
  const program = fileURLToPath(new URL('../src/bin.js', import.meta.url));
  const { NODE_COMPILE_CACHE: _, ...rest } = process.env;
  const env = { ...rest, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
  const start = () => promisify(execFile)(process.execPath, [program, '--version'], { env });
  await start();
  const { stderr } = await start();
  expect(stderr).toMatch(/retrieving transpile cache for \S+ file:\S+\/run-as-process\.ts\.\.\.success/);
});
