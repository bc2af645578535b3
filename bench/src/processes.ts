import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { isFree } from '../../checks/src/engine/free-port.ts';
import { send } from './load/connection.ts';

/** Where things run: what is measured on one core, what measures it on another. */
const SERVER_CORE = '0';
const LOAD_CORE = '1';

/** Counted before this process keeps to one of them. */
const cores = availableParallelism();
const canPin = cores > 1 && find('taskset') !== undefined;

/** Everything the run leaves behind unless it is tidied away: processes and folders. */
const children = new Set<ChildProcess>();
const cleanups: Array<() => void> = [];

const scratch = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
cleanups.push(removeScratch);

export function folder(name: string): string {
  return mkdtempSync(join(scratch, `${name}-`));
}

/** For whatever must be undone however the run ends. */
export function onEnd(cleanup: () => void): void {
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

/** A database that was just told to end may still write a file or two. */
function removeScratch(): void {
  for (let attempt = 0; existsSync(scratch) && attempt < 50; attempt++) {
    try {
      rmSync(scratch, { recursive: true, force: true });
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}

/** The program's path, or undefined where it is not installed. */
function find(program: string): string | undefined {
  const paths = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return paths.map((path) => join(path, program)).find((path) => isProgram(path));
}

function isProgram(path: string): boolean {
  return spawnSync('test', ['-x', path]).status === 0;
}

/** This process makes the load. */
export function pinLoad(): void {
  if (canPin) execFileSync('taskset', ['-acp', LOAD_CORE, String(process.pid)], { stdio: 'ignore' });
}

/** Lets a process that was started from here use every core. */
export function unpin(pid: number): void {
  if (canPin) execFileSync('taskset', ['-acp', `0-${cores - 1}`, String(pid)], { stdio: 'ignore' });
}

export interface Running extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  /** Milliseconds from its start to its first answer. */
  readonly readyAfter: number;
}

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts a server on the core for servers; its log goes where logs cost nothing, as a user would switch it on. */
export async function startServer(
  name: string,
  // Staging may listen on the port after the one that is named.
  { mayBeNext = false, ...program }: Program & { port: number; mayBeNext?: boolean; ready: Buffer },
): Promise<Running> {
  const errors = join(scratch, `${name}-${program.port}.stderr`);
  const stderr = openSync(errors, 'w');
  const started = performance.now();
  const child = start(program, ['ignore', 'ignore', stderr]);
  closeSync(stderr);
  const statusAt = (port: number) =>
    send(port, program.ready).then(
      ({ status }) => status,
      () => 0,
    );
  for (let port = program.port; ; port = mayBeNext && port === program.port ? port + 1 : program.port) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`${name} ended at once:\n${readFileSync(errors, 'utf8').slice(0, 2000)}`);
    }
    const status = await statusAt(port);
    const readyAfter = performance.now() - started;
    if (status >= 200 && status < 500)
      return { pid: child.pid as number, port, readyAfter, [Symbol.asyncDispose]: () => end(child) };
    if (readyAfter > 60_000) throw new Error(`${name} did not answer within a minute`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Runs a program on the core for servers to its end; answers with what it wrote. */
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

function start({ command, args, cwd, env }: Program, stdio: Array<'ignore' | 'pipe' | number>): ChildProcess {
  const [program, ...rest] = [...(canPin ? ['taskset', '-c', SERVER_CORE] : []), command, ...args];
  const child = spawn(program as string, rest, { stdio, cwd, env: { ...process.env, ...env } });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await gone;
  clearTimeout(late);
}

/**
 * A port that nobody listens on, whose next one is free too, for a second deployment. Both lie below the range from
 * which the load generator's own connections get theirs.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + 2 * Math.floor(Math.random() * 10_000);
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
}

/** Bytes of memory that a process holds. */
export function memoryOf(pid: number): number {
  return statusOf(pid, 'VmRSS') ?? Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) * 1024;
}

/** Watches a process's memory from now on; the answer is the most it held. */
export function watchMemory(pid: number): () => number {
  let most = memoryOf(pid);
  try {
    // Linux forgets the peak so far and keeps the new one exactly.
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return () => statusOf(pid, 'VmHWM') ?? most;
  } catch {
    const timer = setInterval(() => {
      most = Math.max(most, memoryOf(pid));
    }, 20);
    return () => {
      clearInterval(timer);
      return Math.max(most, memoryOf(pid));
    };
  }
}

function statusOf(pid: number, field: string): number | undefined {
  try {
    const kilobytes = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(
      readFileSync(`/proc/${pid}/status`, 'utf8'),
    )?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
