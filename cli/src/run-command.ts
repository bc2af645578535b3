import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { UsageError } from '../../server/src/config/usage-error.ts';
import { environmentWith } from './command-environment.ts';

/** Of what a program prints, and of what it says on standard error, no more than this is kept. */
const MOST_PRINTED = 64_000_000;
const MOST_SAID = 100_000;
/** A program that was told everything has so long to end. */
const MOMENT_SECONDS = 5;
/** What a program that has ended printed last is there by then. */
const LAST_WORDS_MS = 1_000;

export interface Ran {
  /** null for a program that did not end by itself. */
  readonly code: number | null;
  /** How it ended, in words: `ended with code 1`. */
  readonly end: string;
  readonly stdout: string;
  readonly stderr: string;
}

/** What holds for every program that a check runs. */
export interface RunLimits {
  readonly env: NodeJS.ProcessEnv;
  readonly seconds: number;
  /** Kills the program. */
  readonly interruption: AbortSignal;
}

interface RunOptions extends RunLimits {
  /** What the program is told by variables, besides those it inherits. */
  readonly variables: Readonly<Record<string, string>>;
  /** Works with the program while it runs. When that is done, the program has a moment to end. */
  readonly meanwhile?: (hasEnded: () => boolean) => Promise<void>;
}

/** Runs somebody's program to its end, or to ours. What it leaves behind is ended as well. */
export async function runCommand(
  [program = '', ...args]: readonly string[],
  { variables, env, seconds, interruption, meanwhile }: RunOptions,
): Promise<Ran> {
  interruption.throwIfAborted();
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environmentWith(variables, env),
    // At the head of a group of its own, so that all of it can be ended.
    detached: true,
  });
  const killOnInterruption = () => kill(child);
  interruption.addEventListener('abort', killOnInterruption);
  const stdout = kept(child.stdout, MOST_PRINTED);
  const stderr = kept(child.stderr, MOST_SAID);
  let late: number | undefined;
  const timers: NodeJS.Timeout[] = [];
  const endAfter = (limit: number) => {
    const end = () => {
      late = limit;
      kill(child);
    };
    timers.push(setTimeout(end, limit * 1000));
  };
  endAfter(seconds);
  let hasEnded = false;
  child.once('exit', () => {
    hasEnded = true;
    kill(child);
    timers.forEach(clearTimeout);
    // What it has left in another session may hold its output open.
    const leave = () => {
      child.stdout.destroy();
      child.stderr.destroy();
    };
    timers.push(setTimeout(leave, LAST_WORDS_MS));
  });
  void meanwhile?.(() => hasEnded).then(() => hasEnded || endAfter(MOMENT_SECONDS));
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    interruption.throwIfAborted();
    const end = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
    const text = { stdout: stdout(), stderr: stderr() };
    return late === undefined
      ? { code, end, ...text }
      : { code: null, end: `did not end within ${late} s`, ...text };
  } catch (error) {
    hasEnded = true;
    interruption.throwIfAborted();
    throw new UsageError(`cannot run ${program}: ${(error as Error).message}`);
  } finally {
    timers.forEach(clearTimeout);
    interruption.removeEventListener('abort', killOnInterruption);
  }
}

function kept(stream: Readable, most: number): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (more: string) => {
    if (text.length < most) text += more;
  });
  return () => text;
}

function kill({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}
