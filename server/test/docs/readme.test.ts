import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startProgram } from '../support/program.ts';

const run = promisify(execFile);
const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

it('every call in the README has the documented response', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-readme-'));
  const { lines, key, stop } = await startProgram(['--port', '0', '--data', folder]);
  try {
    const PETSTORE_URL = /http:\S+/.exec(lines[0] ?? '')?.[0];
    const env = { ...process.env, PETSTORE_URL, PETSTORE_KEY: key };
    const calls = [...readme.matchAll(/^ {4}(curl .*)\n {4}(.*)$/gm)];
    expect(calls.length).toBe(4);
    for (const [, command = '', shown = ''] of calls) {
      const { stdout } = await run('sh', ['-c', command], { env });
      expect([command, stdout]).toEqual([command, expect.stringContaining(shown.split('…')[0] as string)]);
    }
  } finally {
    await stop('SIGTERM');
  }
});
