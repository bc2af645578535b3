import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { type Connection, openConnection } from '../connection.ts';
import { startBusiestLoopTimer } from './processor-time.ts';

/** Polls /healthz on a separate thread, which the attack does not block. */
const { origin, connections, pid } = workerData as { origin: string; connections: number; pid: number };
const INTERVAL_MS = 20;
const CONNECT_INTERVAL_MS = 100;
const request = Buffer.from(`GET /healthz HTTP/1.1\r\nHost: ${new URL(origin).host}\r\n\r\n`);
/** Functions that record the requests still waiting, with the time they have waited so far. */
const waiting = new Set<() => void>();
let failed = 0;
let times: number[] = [];
/** By connection: `ms` as the client sees it, and `work`, the processor time of the busiest event loop meanwhile. */
let worst = { used: { ms: 0, work: 0 }, new: { ms: 0, work: 0 } };

parentPort?.on('message', (message: 'reset' | 'report') => {
  for (const recordWaiting of waiting) recordWaiting();
  const sorted = Float64Array.from(times).sort();
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? worst.used.ms;
  const { used, new: added } = worst;
  const worsts = { worst: used.ms, worstCpuMs: used.work, worstNew: added.ms, worstNewCpuMs: added.work };
  if (message === 'report') parentPort?.postMessage({ ...worsts, failed, p99 });
  times = [];
  worst = { used: { ms: 0, work: 0 }, new: { ms: 0, work: 0 } };
  failed = 0;
});

/** A slow response also delays the requests that were due meanwhile: without them, p99 would hide one long block. */
function addTimes(ms: number): void {
  for (let left = ms; left > 0; left -= INTERVAL_MS) times.push(left);
}

async function probe(connection: Connection, kind: 'used' | 'new'): Promise<void> {
  const since = performance.now();
  const workSince = startBusiestLoopTimer(pid);
  const record = () => {
    const ms = performance.now() - since;
    const { [kind]: before } = worst;
    worst[kind] = { ms: Math.max(before.ms, ms), work: Math.max(before.work, workSince()) };
    if (kind === 'used') addTimes(ms);
  };
  waiting.add(record);
  const response = await connection.exchange(request, 'GET').catch(() => ({ status: 0 }));
  // No response on a used connection is not a failure: the service may have closed it while it was idle.
  if (response ? response.status !== 200 : kind === 'new') failed++;
  waiting.delete(record);
  record();
}

async function probeOne(connection: Connection): Promise<never> {
  for (;;) {
    await probe(connection, 'used');
    await pause(INTERVAL_MS);
  }
}

/** Sends each request on a connection of its own, as a new client does. */
async function probeNew(): Promise<never> {
  for (;;) {
    const connection = openConnection(origin);
    await probe(connection, 'new');
    connection.close();
    await pause(CONNECT_INTERVAL_MS);
  }
}

for (let index = 0; index < connections; index++) void probeOne(openConnection(origin));
void probeNew();
