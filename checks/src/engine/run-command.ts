import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import { environmentWith } from './command-environment.ts';

/** Captured characters of each stream. */
const MAX_STDOUT = 64_000_000;
const MAX_STDERR = 100_000;
/** Time to exit once `meanwhile` is done. */
const EXIT_GRACE_SECONDS = 5;
/** Time to read remaining output after the exit. */
const OUTPUT_GRACE_MS = 1_000;

export interface Ran {
  /** null if it was killed. */
  readonly code: number | null;
  /** How it ended: `exited with code 1`. */
  readonly end: string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Limits of every program that a check runs. */
export interface RunLimits {
  readonly env: NodeJS.ProcessEnv;
  readonly seconds: number;
  /** Kills the program when aborted. */
  readonly interruption: AbortSignal;
}

interface RunOptions extends RunLimits {
  /** Environment variables in addition to the inherited ones. */
  readonly variables: Readonly<Record<string, string>>;
  /** Interacts with the program while it runs. Afterwards, the program has a grace period to exit. */
  readonly meanwhile?: (hasEnded: () => boolean) => Promise<void>;
}

/** Runs a program until it exits, times out or is interrupted, and kills its remaining child processes. */
export async function runCommand(
  [program = '', ...args]: readonly string[],
  { variables, env, seconds, interruption, meanwhile }: RunOptions,
): Promise<Ran> {
  interruption.throwIfAborted();
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environmentWith(variables, env),
    // Leader of a new process group, so that the whole group can be killed.
    detached: true,
  });
  const killOnInterruption = () => kill(child);
  interruption.addEventListener('abort', killOnInterruption);
  const stdout = captured(child.stdout, MAX_STDOUT);
  const stderr = captured(child.stderr, MAX_STDERR);
  let late: number | undefined;
  const timers: NodeJS.Timeout[] = [];
  const killAfter = (limit: number) => {
    const expire = () => {
      late = limit;
      kill(child);
    };
    timers.push(setTimeout(expire, limit * 1000));
  };
  killAfter(seconds);
  let hasEnded = false;
  child.once('exit', () => {
    hasEnded = true;
    kill(child);
    timers.forEach(clearTimeout);
    // A descendant in another session may hold the output open.
    const closeOutput = () => {
      child.stdout.destroy();
      child.stderr.destroy();
    };
    timers.push(setTimeout(closeOutput, OUTPUT_GRACE_MS));
  });
  void meanwhile?.(() => hasEnded).then(() => hasEnded || killAfter(EXIT_GRACE_SECONDS));
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    interruption.throwIfAborted();
    const end = signal === null ? `exited with code ${code}` : `was killed by ${signal}`;
    const text = { stdout: stdout(), stderr: stderr() };
    return late === undefined
      ? { code, end, ...text }
      : { code: null, end: `did not exit within ${late} s`, ...text };
  } catch (error) {
    hasEnded = true;
    interruption.throwIfAborted();
    throw new UsageError(`cannot run ${program}: ${(error as Error).message}`);
  } finally {
    timers.forEach(clearTimeout);
    interruption.removeEventListener('abort', killOnInterruption);
  }
}

function captured(stream: Readable, max: number): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (more: string) => {
    if (text.length < max) text += more;
  });
  return () => text;
}

function kill({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone.
  }
}
