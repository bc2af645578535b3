import { readdirSync, readFileSync } from 'node:fs';
import { closedLoop, expectOnly } from '../load/closed-loop.ts';

/** A process and those that it started. */
export function family(pid: number): number[] {
  const children = textOf(`/proc/${pid}/task/${pid}/children`).trim();
  return [pid, ...(children === '' ? [] : children.split(' ').flatMap((child) => family(Number(child))))];
}

/** Microseconds that processes and their children have run so far. Linux counts those of each thread in nanoseconds. */
function cpuOf(pids: readonly number[]): number {
  const threads = pids.flatMap(family).flatMap((pid) => {
    const folder = `/proc/${pid}/task`;
    return readdirSync(folder).map((thread) => Number(textOf(`${folder}/${thread}/schedstat`).split(' ')[0]));
  });
  return threads.reduce((sum, each) => sum + each, 0) / 1000;
}

/** Nothing of a thread that ended meanwhile. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

export function megabytesOf(pid: number): number {
  return family(pid)
    .map((each) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${each}/status`, 'utf8'))?.[1]) / 1024)
    .reduce((sum, each) => sum + each, 0);
}

export interface Cost {
  /** Answers a second, on a machine that is as busy as it is. */
  readonly rate: number;
  /** Microseconds of processor time an answer, for each group of processes. */
  readonly cpu: readonly number[];
}

/** Sends so many requests, and says what they cost each group of processes. */
export async function costOf(
  port: number,
  groups: ReadonlyArray<readonly number[]>,
  count: number,
  request: (connection: number, sent: number) => Buffer,
  { expected = 200, connections = 16 } = {},
): Promise<Cost> {
  let sent = 0;
  const load = (most: number) =>
    closedLoop({
      port,
      connections,
      seconds: 120,
      next: (connection) => (sent < most ? request(connection, sent++) : undefined),
    });
  // What is compiled and read for the first time is no part of it.
  const first = warmUp(count);
  expectOnly(await load(first), expected);
  return costDuring(groups, async () => expectOnly(await load(first + count), expected));
}

/** What the requests of a load cost each group of processes; `load` makes them for so many seconds, and tells their rate. */
export async function costOfLoad(
  groups: ReadonlyArray<readonly number[]>,
  load: (seconds: number) => Promise<number>,
  seconds: number,
): Promise<Cost> {
  await load(seconds);
  return costDuring(groups, async () => {
    const rate = await load(seconds);
    return { rate, count: rate * seconds };
  });
}

async function costDuring(
  groups: ReadonlyArray<readonly number[]>,
  load: () => Promise<{ rate: number; count: number }>,
): Promise<Cost> {
  const before = groups.map(cpuOf);
  const { rate, count } = await load();
  return { rate, cpu: groups.map((pids, i) => (cpuOf(pids) - (before[i] ?? 0)) / count) };
}

/** Requests that are sent before those that are measured. */
export const warmUp = (count: number) => Math.ceil(count / 5);

export function table(head: readonly string[], rows: ReadonlyArray<ReadonlyArray<string | number>>): void {
  const line = (cells: ReadonlyArray<string | number>) => `| ${cells.join(' | ')} |`;
  console.log([line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n'));
}

export const round = (value: number) => (value < 10 ? value.toFixed(1) : String(Math.round(value)));
