import { hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openForPlacements, type Wanted } from './sqlite-place.ts';
import { groupsOn } from './thread-groups.ts';

/**
 * The same limit with what no service can do without: waiting for the disk on a thread of its own, a look at the key of
 * each request, and a line of log. One group is under way at a time, as in the service.
 */
if (isMainThread) serve();
else placeForOthers();

function placeForOthers(): void {
  const { path, store } = workerData as { path: string; store: string };
  const place = openForPlacements(path, BigInt(store));
  parentPort?.on('message', (group: Wanted[]) => parentPort?.postMessage(place(group)));
}

function serve(): void {
  const [path = '', store = '', port] = process.argv.slice(2);
  const worker = new Worker(new URL(import.meta.url), { workerData: { path, store } });
  const keys = new DatabaseSync(path, { readOnly: true });
  const caller = keys.prepare(
    'SELECT keys.id FROM keys JOIN stores ON stores.id = keys.store_id WHERE hash = ? AND revoked_at IS NULL',
  );
  const log = createWriteStream('/dev/null');
  const place = groupsOn<Wanted, string[]>(worker, (responses, answers) => {
    let lines = '';
    for (const [index, response] of responses.entries()) {
      const body = answers[index] as string;
      response
        .writeHead(201, ['content-type', 'application/json', 'content-length', String(body.length)])
        .end(body);
      lines += `{"time":${Date.now()},"path":"/v2/store/orders","status":201}\n`;
    }
    log.write(lines);
  });
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.end();
    const key = String(request.headers.authorization).slice('Bearer '.length);
    if (!caller.get(hash('sha256', key))) return void response.writeHead(401).end();
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const { petId, quantity } = JSON.parse(text) as { petId: number; quantity: number };
      place({ petId: BigInt(petId), quantity: BigInt(quantity) }, response);
    });
  });
  server.keepAliveTimeout = 72_000;
  server.listen(Number(port), '127.0.0.1');
}
