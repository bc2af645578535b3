import { spawn } from 'node:child_process';
import { isSea } from 'node:sea';
import { text } from 'node:stream/consumers';

/** One executable file is its own program; elsewhere Node is told what to run. */
export const program = () => (isSea() ? [] : [...process.execArgv, process.argv[1] ?? '']);

/** Runs a command of this program until it ends, or `signal` ends it in the middle of a call, as it could not a thread. */
export async function inOwnProcess(args: readonly string[], signal: AbortSignal) {
  const child = spawn(process.execPath, [...program(), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  // An end by the signal is told as an error first.
  child.on('error', () => {});
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}
