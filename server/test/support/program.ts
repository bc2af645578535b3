import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { timeouts } from '../../src/config/timeouts.ts';
import { type Requester, requester } from './http.ts';

/** The sources, run as in a clone. */
const sources = fileURLToPath(new URL('../../../cli/src/main.js', import.meta.url));
/** What tests start: their bundle (bundle.ts), or the sources if there is none. */
export const main = process.env.TESTED_PROGRAM ?? sources;

/** Runs the program with a preloaded module. */
export const withModule = (module: URL) =>
  ({ program: [process.execPath, '--import', module.href, '--', main] }) as const;

/** Runs the program with instant password hashing. */
export const withQuickPasswords = withModule(new URL('./quick-passwords.ts', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Spawned {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  readonly output: { stdout: string; stderr: string };
}

interface SpawnOptions {
  /** The entry point, if not `main`. */
  readonly program?: readonly [file: string, ...args: string[]];
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** Timeouts that the test would have to wait for. */
  readonly timeouts?: Partial<typeof timeouts>;
}

/** Longer than any terminating run; a program that serves instead of failing is killed. */
export const TIMEOUT_MS = 200_000;

/** The program's timeouts. With a long flush timeout, its last log lines arrive even on a slow machine. */
const timeoutsOf = (some: Partial<typeof timeouts> = {}) =>
  JSON.stringify({ flushTimeoutMs: TIMEOUT_MS, ...some });

/** None of the tester's own `PETSTORE_` variables reaches the program. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PETSTORE_|NODE_OPTIONS$)/.test(name));
  return Object.fromEntries(inherited);
}

export function spawnProgram(
  args: readonly string[],
  { program = [process.execPath, '--', main], env = {}, timeouts, ...options }: SpawnOptions = {},
): Spawned {
  const [file, ...first] = program;
  const child = spawn(file, [...first, ...args], {
    env: { ...inheritedEnvironment(), PETSTORE_TIMEOUTS: timeoutsOf(timeouts), ...env },
    ...options,
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  // It may exit before it has read its input.
  child.stdin.on('error', () => {});
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }));
  return { child, ended, output };
}

/** Runs the real program to its end, with standard input. */
export async function runProgram(
  args: readonly string[],
  { input = '', ...options }: SpawnOptions & { readonly input?: string } = {},
): Promise<Ended> {
  const { child, ended } = spawnProgram(args, options);
  child.stdin.end(input);
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  return ended.finally(() => clearTimeout(timer));
}

export interface RunningProgram extends AsyncDisposable {
  readonly pid: number;
  /** Its output before the log. */
  readonly lines: readonly string[];
  readonly port: number;
  readonly key: string;
  readonly request: Requester;
  readonly output: { stdout: string; readonly stderr: string };
  /** Waits until it has logged a text. */
  logged(text: string): Promise<void>;
  stop(signal: NodeJS.Signals): Promise<Ended>;
}

/** Starts the real program and waits until it prints its addresses. */
export async function startProgram(
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<RunningProgram> {
  const { child, ended, output } = spawnProgram(['serve', ...args], options);
  const printed = (condition: (text: string) => boolean) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!condition(output.stdout)) return;
        child.stdout.off('data', look);
        resolve();
      };
      child.stdout.on('data', look);
      look();
      ended.then(({ stderr }) => reject(new Error(`the program ended: ${stderr}`)), reject);
    });
  await printed((text) => /^docs .*\n/m.test(text));
  const lines = output.stdout.split('\n').filter((line) => /^[a-z]/.test(line));
  const first = lines[0] ?? '';
  const port = Number(/:(\d+)\//.exec(first)?.[1]);
  const agent = new Agent({ keepAlive: true });
  return {
    pid: child.pid as number,
    lines,
    port,
    key: /key (\S+)$/.exec(first)?.[1] ?? '',
    request: requester(port, agent),
    output,
    logged: (line) => printed((text) => text.includes(line)),
    async stop(signal) {
      child.kill(signal);
      const result = await ended;
      agent.destroy();
      return result;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      agent.destroy();
    },
  };
}

/** Requests to a deployment on another port of a running program. */
export function requesterFor(port: number): Requester {
  return requester(port, new Agent());
}
