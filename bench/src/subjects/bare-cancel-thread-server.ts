import { createServer, type ServerResponse } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openForCancels } from './sqlite-cancel.ts';

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
  let waiting: Array<{ id: bigint; response: ServerResponse }> = [];
  let underWay: ServerResponse[] = [];
  const begin = () => {
    if (underWay.length > 0 || waiting.length === 0) return;
    underWay = waiting.map(({ response }) => response);
    worker.postMessage(waiting.map(({ id }) => id));
    waiting = [];
  };
  worker.on('message', () => {
    const answered = underWay;
    underWay = [];
    begin();
    for (const response of answered) response.writeHead(204).end();
  });
  const server = createServer(({ method, url }, response) => {
    if (method !== 'DELETE') return void response.end(list);
    const id = BigInt(String(url).slice(String(url).lastIndexOf('/') + 1));
    if (waiting.push({ id, response }) === 1) setImmediate(begin);
  });
  server.keepAliveTimeout = 72_000;
  server.listen(Number(port), '127.0.0.1');
}
