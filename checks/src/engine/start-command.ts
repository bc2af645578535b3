import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import { environmentWith } from './command-environment.ts';

/** Captured characters of each stream. */
const MAX_STDOUT = 64_000_000;
const MAX_STDERR = 100_000;
/** Time to read remaining output after the exit. */
const OUTPUT_GRACE_MS = 1_000;

interface ExitResult {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartOptions {
  /** The inherited environment, and the variables set in addition. */
  readonly env: NodeJS.ProcessEnv;
  readonly variables: Readonly<Record<string, string>>;
  /** Kills the program when aborted. */
  readonly interruption: AbortSignal;
}

/** A running program. Disposing kills it with its descendants. */
export interface RunningCommand extends AsyncDisposable {
  readonly ended: Promise<ExitResult>;
  hasEnded(): boolean;
  /** SIGKILL, unless another signal is given. */
  kill(signal?: NodeJS.Signals): void;
}

/** Starts a program as the leader of a process group, which is killed as a whole. */
export function startCommand(
  [program = '', ...args]: readonly string[],
  { env, variables, interruption }: StartOptions,
): RunningCommand {
  interruption.throwIfAborted();
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environmentWith(variables, env),
    detached: true,
  });
  const kill = (signal: NodeJS.Signals = 'SIGKILL') => killGroup(child, signal);
  const killNow = () => kill();
  interruption.addEventListener('abort', killNow);
  const stdout = capture(child.stdout, MAX_STDOUT);
  const stderr = capture(child.stderr, MAX_STDERR);
  let isOver = false;
  let closing: NodeJS.Timeout | undefined;
  child.once('exit', () => {
    isOver = true;
    kill();
    // A descendant in another session may hold the output open.
    const closeOutput = () => {
      child.stdout.destroy();
      child.stderr.destroy();
    };
    closing = setTimeout(closeOutput, OUTPUT_GRACE_MS);
  });
  const wait = async (): Promise<ExitResult> => {
    try {
      const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
      interruption.throwIfAborted();
      return { code, signal, stdout: stdout(), stderr: stderr() };
    } catch (error) {
      isOver = true;
      interruption.throwIfAborted();
      throw new UsageError(`cannot run ${program}: ${(error as Error).message}`);
    } finally {
      clearTimeout(closing);
      interruption.removeEventListener('abort', killNow);
    }
  };
  const ended = wait();
  return {
    ended,
    hasEnded: () => isOver,
    kill,
    async [Symbol.asyncDispose]() {
      kill();
      await ended.catch(() => {});
    },
  };
}

function capture(stream: Readable, max: number): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (more: string) => {
    if (text.length < max) text += more;
  });
  return () => text;
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // The group is gone.
  }
}
