import { describe, expect, it } from 'vitest';
import { runCommand } from '../src/run-command.ts';

/** Prints the process that it leaves behind in a session of its own, with its output still open. */
const leaving = `
  const { spawn } = require('node:child_process');
  const stay = 'setTimeout(() => console.log("waited for"), 20_000)';
  const left = spawn(process.execPath, ['-e', stay], { detached: true, stdio: 'inherit' });
  left.unref();
  console.log(left.pid);`;

async function run(script: string, seconds: number) {
  const { stdout, ...ran } = await runCommand([process.execPath, '-e', script], { env: {}, seconds });
  expect(stdout).toMatch(/^\d+\n$/);
  process.kill(Number(stdout), 'SIGKILL');
  return ran;
}

describe('a program that leaves another behind', () => {
  it('is judged by its own end', async () => {
    expect(await run(leaving, 10)).toEqual({ code: 0, end: 'ended with code 0', stderr: '' });
  });

  it('and hangs is ended without waiting for the other', async () => {
    const ran = await run(`${leaving} setInterval(() => {}, 1000);`, 2);
    expect(ran).toEqual({ code: null, end: 'did not end within 2 s', stderr: '' });
  });
});
