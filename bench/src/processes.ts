import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { isFree } from '../../checks/src/engine/free-port.ts';
import { sendRequest } from './load.ts';
import { processorTime } from './measure/processor-time.ts';

/** The processes under test share one core; the load generator has the other. */
const SERVER_CORE = '0';
const LOAD_CORE = '1';

/** All cores: counted before this process is pinned to one, after which Node counts only that one. */
const cores = availableParallelism();
const canPin = cores > 1 && findProgram('taskset') !== undefined;

/** On every exit, these processes are killed and these functions called. */
const children = new Set<ChildProcess>();
const cleanups: Array<() => void> = [];

const scratch = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
cleanups.push(removeScratch);

export function createFolder(name: string): string {
  return mkdtempSync(join(scratch, `${name}-`));
}

export function onExit(cleanup: () => void): void {
  cleanups.unshift(cleanup);
}

function endEverything(): void {
  for (const child of children) child.kill('SIGKILL');
  for (const cleanup of cleanups.splice(0)) {
    try {
      cleanup();
    } catch {}
  }
}

process.once('exit', endEverything);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(130));
}

/** Retries, because a database that is being stopped may still write files. */
function removeScratch(): void {
  for (let attempt = 0; existsSync(scratch) && attempt < 50; attempt++) {
    try {
      rmSync(scratch, { recursive: true, force: true });
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}

/** Path of a program; undefined if it is not installed. */
export function findProgram(program: string): string | undefined {
  const paths = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return paths.map((path) => join(path, program)).find((path) => isProgram(path));
}

function isProgram(path: string): boolean {
  return spawnSync('test', ['-x', path]).status === 0;
}

/** Call once, in the process that generates the load. */
export function pinLoad(): void {
  if (canPin) execFileSync('taskset', ['-acp', LOAD_CORE, String(process.pid)], { stdio: 'ignore' });
}

/** Lets a child process use all cores. */
export function unpin(pid: number): void {
  if (canPin) execFileSync('taskset', ['-acp', `0-${cores - 1}`, String(pid)], { stdio: 'ignore' });
}

export interface RunningServer extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  /** Processor time from its start to its first response. */
  readonly startupSeconds: number;
}

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts a server on the core for servers and waits until it responds. */
export async function startServer(
  name: string,
  // `tryNextPort`: the deployment under test may be staging, which listens on the port after `port`.
  {
    tryNextPort = false,
    ...program
  }: Program & { port: number; tryNextPort?: boolean; path: string; key?: string },
): Promise<RunningServer> {
  const errors = join(scratch, `${name}-${program.port}.stderr`);
  const stderr = openSync(errors, 'w');
  const started = performance.now();
  const child = start(program, ['ignore', 'ignore', stderr]);
  closeSync(stderr);
  const pid = child.pid as number;
  for (let port = program.port; ; port = tryNextPort && port === program.port ? port + 1 : program.port) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`${name} exited:\n${readFileSync(errors, 'utf8').slice(0, 2000)}`);
    }
    const status = await sendRequest(port, program.path, program).then(
      (response) => response.status,
      () => 0,
    );
    if (status >= 200 && status < 500)
      return { pid, port, startupSeconds: processorTime(pid), [Symbol.asyncDispose]: () => end(child) };
    if (performance.now() - started > 60_000) throw new Error(`${name} did not respond within a minute`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Runs a program to its end on the core for servers; returns its output. */
export async function run(program: Program): Promise<string> {
  const child = start(program, ['ignore', 'pipe', 'pipe']);
  let output = '';
  let errors = '';
  child.stdout?.on('data', (text) => {
    output += text;
  });
  child.stderr?.on('data', (text) => {
    errors += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program.command} ${program.args.join(' ')} failed:\n${errors}`);
  return output;
}

/** Starts a program on the core for servers; it runs until `end` is called. */
export function startProcess(program: Program): { pid: number; end(): Promise<void> } {
  const child = start(program, ['ignore', 'ignore', 'inherit']);
  return { pid: child.pid as number, end: () => end(child) };
}

function start(
  { command, args, cwd, env }: Program,
  stdio: Array<'ignore' | 'pipe' | 'inherit' | number>,
): ChildProcess {
  const [program, ...rest] = [...(canPin ? ['taskset', '-c', SERVER_CORE] : []), command, ...args];
  const child = spawn(program as string, rest, { stdio, cwd, env: { ...process.env, ...env } });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await exited;
  clearTimeout(killTimer);
}

/** A free port whose successor, for a second deployment, is free, too. Both are below the ephemeral range. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + 2 * Math.floor(Math.random() * 10_000);
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
}

/** Resident memory in megabytes: `VmRSS` now, `VmHWM` the peak. */
export function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
}

/** Resets `VmHWM`. */
export function resetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
