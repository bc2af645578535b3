import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

interface Health {
  /** Milliseconds that /healthz took at the worst. */
  readonly worst: number;
  /** How often it was not answered with 200. */
  readonly failed: number;
  /** Milliseconds that 99 of 100 took at the most. */
  readonly p99: number;
}

export interface Prober extends AsyncDisposable {
  reset(): void;
  tell(): Promise<Health>;
}

/** Connections are handed out in turn: as many as there are workers ask them all. */
export function startProber(origin: string, connections: number): Prober {
  const worker = new Worker(new URL('./prober.ts', import.meta.url), { workerData: { origin, connections } });
  return {
    reset: () => worker.postMessage('reset'),
    async tell() {
      worker.postMessage('tell');
      const [health] = await once(worker, 'message');
      return health as Health;
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}

/** Megabytes of memory that a program with all its processes holds, and what they held at the most since `start`. */
export function memoryOf(pid: number) {
  const sum = (field: 'VmRSS' | 'VmHWM') =>
    familyOf(pid).reduce((total, each) => total + resident(each, field), 0);
  return {
    now: () => sum('VmRSS'),
    start(): void {
      // Linux forgets the greatest size so far.
      for (const each of familyOf(pid)) writeFileSync(`/proc/${each}/clear_refs`, '5');
    },
    peak: () => sum('VmHWM'),
  };
}

/** Seconds that a program with all its processes has spent on processors. */
export function processorSeconds(pid: number): number {
  const ticks = familyOf(pid).map((each) => {
    const fields = readFileSync(`/proc/${each}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((total, each) => total + each, 0) / 100;
}

function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return [pid, ...children.filter(Boolean).map(Number)];
}

function resident(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}
