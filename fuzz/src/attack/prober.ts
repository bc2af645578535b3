import { parentPort, workerData } from 'node:worker_threads';
import { openConnection } from '../connection.ts';

/** Polls /healthz on a separate thread, which the attack does not block. */
const { origin, connections } = workerData as { origin: string; connections: number };
const EVERY_MS = 20;
const request = Buffer.from(`GET /healthz HTTP/1.1\r\nHost: ${new URL(origin).host}\r\n\r\n`);
const waiting = new Map<number, number>();
let worst = 0;
let failed = 0;
let times: number[] = [];

parentPort?.on('message', (message: 'reset' | 'report') => {
  // A pending request has taken at least this long.
  for (const since of waiting.values()) worst = Math.max(worst, performance.now() - since);
  const p99 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? worst;
  if (message === 'report') parentPort?.postMessage({ worst, failed, p99 });
  times = [];
  worst = 0;
  failed = 0;
});

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
    times.push(performance.now() - since);
    worst = Math.max(worst, times.at(-1) ?? 0);
    waiting.delete(index);
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}

for (let index = 0; index < connections; index++) void probe(index);
