import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

interface Health {
  /** Milliseconds that /healthz took at the worst. */
  readonly worst: number;
  /** How often it was not answered with 200. */
  readonly failed: number;
}

export interface Prober extends AsyncDisposable {
  reset(): void;
  tell(): Promise<Health>;
}

export function startProber(origin: string): Prober {
  const worker = new Worker(new URL('./prober.ts', import.meta.url), { workerData: { origin } });
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

/** Megabytes of memory that a process holds, and what it held at the most since `start`. */
export function memoryOf(pid: number) {
  let peak = 0;
  let sampling: NodeJS.Timeout | undefined;
  const now = () => {
    const megabytes = resident(pid, 'VmRSS');
    peak = Math.max(peak, megabytes);
    return megabytes;
  };
  return {
    now,
    start(): void {
      peak = 0;
      try {
        // Linux forgets the greatest size so far.
        writeFileSync(`/proc/${pid}/clear_refs`, '5');
      } catch {
        // Elsewhere it is looked at every so often.
      }
      sampling = setInterval(now, 100);
    },
    peak(): number {
      clearInterval(sampling);
      return Math.max(peak, resident(pid, 'VmHWM'));
    },
  };
}

function resident(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  } catch {
    if (process.platform === 'linux') return 0;
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
  }
}
