import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Program } from '../program/start-program.ts';
import { processesOf } from './processor-time.ts';
import { type Health, production } from './scene.ts';

interface Prober extends AsyncDisposable {
  reset(): void;
  report(): Promise<Health>;
}

/** Connections are distributed round-robin: with one per worker, every worker is probed. */
export function startProber(program: Program, connections: number): Prober {
  const { origin } = production(program);
  const workerData = { origin, connections, pid: program.pid };
  const worker = new Worker(new URL('./prober.ts', import.meta.url), { workerData });
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

/** Memory of a program with all its processes, in megabytes: now, and its peak since `resetPeak`. */
export function memoryOf(pid: number) {
  const sum = (field: 'VmRSS' | 'VmHWM') =>
    processesOf(pid).reduce((total, each) => total + resident(each, field), 0);
  return {
    now: () => sum('VmRSS'),
    resetPeak(): void {
      for (const each of processesOf(pid)) writeFileSync(`/proc/${each}/clear_refs`, '5');
    },
    peak: () => sum('VmHWM'),
  };
}

function resident(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}
