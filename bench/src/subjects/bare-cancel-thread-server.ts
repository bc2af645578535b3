import { createServer } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openForCancels } from './sqlite-cancel.ts';
import { groupsOn } from './thread-groups.ts';

/**
 * The least that others notice of cancels: these are made on a thread of their own, one group at a time, and whatever else
 * is asked for is a text that was there before, as long as a small list.
 */
if (isMainThread) serve();
else cancelForOthers();

function cancelForOthers(): void {
  const { path, store } = workerData as { path: string; store: string };
  const cancel = openForCancels(path, BigInt(store));
  parentPort?.on('message', (group: bigint[]) => {
    cancel(group);
    parentPort?.postMessage('done');
  });
}

function serve(): void {
  const [path = '', store = '', port] = process.argv.slice(2);
  const worker = new Worker(new URL(import.meta.url), { workerData: { path, store } });
  const list = Buffer.alloc(8_000, ' ');
  const cancel = groupsOn<bigint, 'done'>(worker, (responses) => {
    for (const response of responses) response.writeHead(204).end();
  });
  const server = createServer(({ method, url }, response) => {
    if (method !== 'DELETE') return void response.end(list);
    cancel(BigInt(String(url).slice(String(url).lastIndexOf('/') + 1)), response);
  });
  server.keepAliveTimeout = 72_000;
  server.listen(Number(port), '127.0.0.1');
}
