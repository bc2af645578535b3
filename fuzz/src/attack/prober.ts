import { parentPort, workerData } from 'node:worker_threads';
import { openConnection } from '../connection.ts';

/** Polls /healthz on a separate thread, which the attack does not block. */
const { origin, connections } = workerData as { origin: string; connections: number };
const INTERVAL_MS = 20;
const CONNECT_INTERVAL_MS = 100;
const request = Buffer.from(`GET /healthz HTTP/1.1\r\nHost: ${new URL(origin).host}\r\n\r\n`);
const waiting = new Map<number, number>();
let failed = 0;
let times: number[] = [];
let worstNew = 0;
let newSince: number | undefined;

parentPort?.on('message', (message: 'reset' | 'report') => {
  // A pending request has taken at least this long.
  for (const since of waiting.values()) record(performance.now() - since);
  const sorted = Float64Array.from(times).sort();
  const worst = sorted.at(-1) ?? 0;
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? worst;
  if (newSince !== undefined) worstNew = Math.max(worstNew, performance.now() - newSince);
  if (message === 'report') parentPort?.postMessage({ worst, failed, p99, worstNew });
  times = [];
  worstNew = 0;
  failed = 0;
});

/** A slow response also delays the requests that were due meanwhile: without them, p99 would hide one long block. */
function record(ms: number): void {
  for (let left = ms; left > 0; left -= INTERVAL_MS) times.push(left);
}

/** Like a new client: each request on a connection of its own. */
async function probeNew(): Promise<never> {
  for (;;) {
    const connection = openConnection(origin);
    newSince = performance.now();
    const response = await connection.exchange(request, 'GET').catch(() => undefined);
    if (response?.status !== 200) failed++;
    worstNew = Math.max(worstNew, performance.now() - newSince);
    newSince = undefined;
    connection.close();
    await new Promise((resolve) => setTimeout(resolve, CONNECT_INTERVAL_MS));
  }
}

async function probe(index: number): Promise<never> {
  const connection = openConnection(origin);
  for (;;) {
    const since = performance.now();
    waiting.set(index, since);
    try {
      const response = await connection.exchange(request, 'GET');
      if (response && response.status !== 200) failed++;
    } catch {
      failed++;
    }
    record(performance.now() - since);
    waiting.delete(index);
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  }
}

for (let index = 0; index < connections; index++) void probe(index);
void probeNew();
