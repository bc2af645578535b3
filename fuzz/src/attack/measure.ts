import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

export interface Health {
  /** The worst /healthz latency in milliseconds. */
  readonly worst: number;
  /** How often the status was not 200. */
  readonly failed: number;
  /** The 99th percentile in milliseconds. */
  readonly p99: number;
  /** The worst latency of a request on a new connection, in milliseconds. */
  readonly worstNew: number;
}

interface Prober extends AsyncDisposable {
  reset(): void;
  report(): Promise<Health>;
}

/** Connections are distributed round-robin, so that every worker is probed. */
export function startProber(origin: string, connections: number): Prober {
  const worker = new Worker(new URL('./prober.ts', import.meta.url), { workerData: { origin, connections } });
  return {
    reset: () => worker.postMessage('reset'),
    async report() {
      worker.postMessage('report');
      const [health] = await once(worker, 'message');
      return health as Health;
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}

/** Memory in megabytes of a program with all its processes, and its peak since `start`. */
export function memoryOf(pid: number) {
  const sum = (field: 'VmRSS' | 'VmHWM') =>
    familyOf(pid).reduce((total, each) => total + resident(each, field), 0);
  return {
    now: () => sum('VmRSS'),
    start(): void {
      // Resets the peak on Linux.
      for (const each of familyOf(pid)) writeFileSync(`/proc/${each}/clear_refs`, '5');
    },
    peak: () => sum('VmHWM'),
  };
}

/** Seconds of processor time used by a program with all its processes. */
export function processorSeconds(pid: number): number {
  const ticks = familyOf(pid).map((each) => {
    const fields = readFileSync(`/proc/${each}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((total, each) => total + each, 0) / 100;
}

/** How much longer its event loops took than on processors of their own, since this was called: 1 on an idle machine. */
export function slowdownOf(pid: number): () => number {
  const sample = () => {
    const threads = familyOf(pid).map((each) => readFileSync(`/proc/${each}/schedstat`, 'utf8').split(' '));
    const sum = (field: number) => threads.reduce((total, fields) => total + Number(fields[field]), 0);
    return { running: sum(0), waiting: sum(1) };
  };
  const before = sample();
  return () => {
    const { running, waiting } = sample();
    return 1 + (waiting - before.waiting) / Math.max(1, running - before.running);
  };
}

function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return [pid, ...children.filter(Boolean).map(Number)];
}

function resident(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}
