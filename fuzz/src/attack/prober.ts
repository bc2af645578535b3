import { parentPort, workerData } from 'node:worker_threads';
import { openConnection } from '../connection.ts';

/** Asks /healthz again and again on a thread of its own, which the attack does not hold up. */
const { origin } = workerData as { origin: string };
const EVERY_MS = 20;
const request = Buffer.from(`GET /healthz HTTP/1.1\r\nHost: ${new URL(origin).host}\r\n\r\n`);
const connection = openConnection(origin);
let worst = 0;
let failed = 0;
let since: number | undefined;

parentPort?.on('message', (message: 'reset' | 'tell') => {
  // A request that still waits has waited at least so long.
  if (since !== undefined) worst = Math.max(worst, performance.now() - since);
  if (message === 'tell') parentPort?.postMessage({ worst, failed });
  worst = 0;
  failed = 0;
});

for (;;) {
  since = performance.now();
  try {
    const answer = await connection.exchange(request, 'GET');
    if (answer && answer.status !== 200) failed++;
  } catch {
    failed++;
  }
  worst = Math.max(worst, performance.now() - since);
  since = undefined;
  await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
}
