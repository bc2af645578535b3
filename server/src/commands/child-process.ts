import { spawn } from 'node:child_process';
import { isSea } from 'node:sea';
import { text } from 'node:stream/consumers';

/** Node arguments to run this program; none for the single executable. */
export const programArgs = () => (isSea() ? [] : [...process.execArgv, process.argv[1] ?? '']);

/** Runs a command of this program in a child process, which `signal` can kill at any point, unlike a thread. */
export async function runInChildProcess(args: readonly string[], signal: AbortSignal) {
  const child = spawn(process.execPath, [...programArgs(), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  // An abort emits 'error' before 'close'.
  child.on('error', () => {});
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}
