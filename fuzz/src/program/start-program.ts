import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { BLOCKED_PREFIX, type BlockedInterval } from './blocked-event-loop.ts';

const sources = fileURLToPath(new URL('../../../cli/src/main.js', import.meta.url));
const main = process.env.TESTED_PROGRAM ?? sources;
const watchdog = new URL('./watchdog.ts', import.meta.url).href;

export interface StartedDeployment {
  readonly name: string;
  readonly origin: string;
  readonly key: string;
}

export interface Program extends AsyncDisposable {
  readonly pid: number;
  readonly data: string;
  readonly deployments: readonly StartedDeployment[];
  /** Every time the event loop was blocked so far. */
  readonly blocked: readonly BlockedInterval[];
  /** The program's log so far. */
  log(): string;
  /** How it ended; undefined while it runs. */
  ended(): string | undefined;
  /** Stops it gracefully; false if it had to be killed after the timeout. */
  stop(timeoutMs: number): Promise<boolean>;
}

/** Starts the real program on a temporary data folder, with the watchdog in it. */
export async function startProgram(flags: readonly string[] = [], folder?: string): Promise<Program> {
  const data = folder ?? mkdtempSync(join(tmpdir(), 'petstore-fuzz-'));
  const program = await startWatched(
    [main, 'serve', '--port', '0', '--data', data, '--log-level', 'error', ...flags],
    data,
  );
  return {
    ...program,
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      if (folder === undefined) rmSync(data, { recursive: true, force: true });
    },
  };
}

/** Starts a plain node:http for comparison, with the flags of plain-server.ts. */
export function startPlain(flags: readonly string[] = []): Promise<Program> {
  return startWatched(
    [fileURLToPath(new URL('../pipelines/plain-server.ts', import.meta.url)), ...flags],
    '',
  );
}

async function startWatched(args: readonly string[], data: string): Promise<Program> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PETSTORE_|NODE_OPTIONS$)/.test(name));
  const child = spawn(process.execPath, ['--import', watchdog, ...args], {
    env: Object.fromEntries(inherited),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close').catch(() => {});
  const blocked: BlockedInterval[] = [];
  let stderr = '';
  let end: string | undefined;
  child.once('exit', (code, signal) => {
    end = `the program exited (${signal ?? code}): ${stderr.slice(-2000)}`;
  });
  eachLine(child.stderr as Readable, (line) => {
    if (line.startsWith(BLOCKED_PREFIX)) blocked.push(JSON.parse(line.slice(BLOCKED_PREFIX.length)));
    else stderr += `${line}\n`;
  });
  let log = '';
  const deployments = await readDeployments(child, () => end);
  child.stdout?.on('data', (text: string) => {
    log += text;
  });
  return {
    pid: child.pid as number,
    data,
    deployments,
    blocked,
    log: () => log,
    ended: () => end,
    async stop(timeoutMs) {
      const killTimer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
      child.kill('SIGTERM');
      await closed;
      clearTimeout(killTimer);
      return child.signalCode !== 'SIGKILL';
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

function eachLine(stream: Readable, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(take);
  });
  stream.on('error', () => {});
}

function readDeployments(child: ChildProcess, ended: () => string | undefined): Promise<StartedDeployment[]> {
  return new Promise((resolve, reject) => {
    const found: StartedDeployment[] = [];
    eachLine(child.stdout as Readable, (line) => {
      const [, name, origin, key] = /^(\w+) +(http\S+)\/v1(?: +key (\S+))?$/.exec(line) ?? [];
      // On loopback, whatever host it listens on.
      if (name && origin)
        found.push({ name, origin: `http://127.0.0.1:${new URL(origin).port}`, key: key ?? '' });
      if (line.startsWith('docs')) resolve(found);
    });
    child.once('error', reject);
    child.once('close', () => reject(new Error(ended() ?? 'the program did not start')));
  });
}
