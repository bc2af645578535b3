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

export interface RunOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly seconds: number;
  /** Works with the program while it runs. When that is done, the program has a moment to end. */
  readonly meanwhile?: (hasEnded: () => boolean) => Promise<void>;
}

/** Runs somebody's program to its end, or to ours. What it leaves behind is ended as well. */
export async function runCommand(
  [program = '', ...args]: readonly string[],
  { env, seconds, meanwhile }: RunOptions,
): Promise<Ran> {
  throwIfEnded();
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environmentWith(env),
    // At the head of a group of its own, so that all of it can be ended.
    detached: true,
  });
  running.add(child);
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
    throwIfEnded();
    const end = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
    const text = { stdout: stdout(), stderr: stderr() };
    return late === undefined
      ? { code, end, ...text }
      : { code: null, end: `did not end within ${late} s`, ...text };
  } catch (error) {
    hasEnded = true;
    throw new UsageError(`cannot run ${program}: ${(error as Error).message}`);
  } finally {
    timers.forEach(clearTimeout);
    running.delete(child);
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

const running = new Set<ChildProcess>();
/** The signal that ends us, once it has come. */
let endedBy: NodeJS.Signals | undefined;

function throwIfEnded(): void {
  if (endedBy !== undefined) throw new Error(`ended by ${endedBy}`);
}

/** Does work that runs programs. Whoever ends us ends what we run; what the work has opened is closed before we end. */
export async function endedBySignals(work: () => Promise<void>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      endedBy = signal;
      for (const child of running) kill(child);
    });
  try {
    await work();
  } catch (error) {
    const signal = endedBy;
    if (signal === undefined) throw error;
    // What ran beside it closes what it has opened, too.
    process.once('beforeExit', () => process.kill(process.pid, signal));
  }
}
