import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testContext } from '../../server/test/support/command.ts';
import { temporaryFolder } from '../../server/test/support/engines.ts';
import { spawnProgram } from '../../server/test/support/program.ts';
import { runCommand } from '../src/engine/run-command.ts';

/** Prints the process that it leaves behind in a session of its own, with its output still open. */
const leaving = `
  const { spawn } = require('node:child_process');
  const stay = 'setTimeout(() => console.log("waited for"), 20_000)';
  const left = spawn(process.execPath, ['-e', stay], { detached: true, stdio: 'inherit' });
  left.unref();
  console.log(left.pid);`;

async function run(script: string, seconds: number) {
  const { env, interruption } = testContext().context;
  const limits = { env, seconds, interruption: interruption() };
  const { stdout, ...ran } = await runCommand([process.execPath, '-e', script], { ...limits, variables: {} });
  expect(stdout).toMatch(/^\d+\n$/);
  process.kill(Number(stdout), 'SIGKILL');
  return ran;
}

describe('a program that leaves another behind', () => {
  it('is judged by its own end', async () => {
    expect(await run(leaving, 10)).toMatchObject({ code: 0, end: 'exited with code 0', stderr: '' });
  });

  it('and hangs is ended without waiting for the other', async () => {
    const ran = await run(`${leaving} setInterval(() => {}, 1000);`, 10);
    expect(ran).toMatchObject({ code: null, end: 'did not exit within 10 s', stderr: '' });
  });
});

describe.skipIf(process.platform === 'win32')('a check that is ended', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'by %s takes all it has started along',
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
