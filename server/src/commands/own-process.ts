import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isSea } from 'node:sea';
import { text } from 'node:stream/consumers';

/** One executable file is its own program; elsewhere Node is told what to run. */
export const program = () => (isSea() ? [] : [...process.execArgv, process.argv[1] ?? '']);

/**
 * Runs a command of this program in a process of its own, for work that would hold up whoever is answered. `signal` ends
 * it at once, whatever it is doing: a thread could not be ended in the middle of a call.
 */
export async function inOwnProcess(
  args: readonly string[],
  signal: AbortSignal,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [...program(), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const end = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', end);
  try {
    const ended = once(child, 'exit');
    const [[code], stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    return { code: code as number | null, stdout, stderr };
  } finally {
    signal.removeEventListener('abort', end);
  }
}
