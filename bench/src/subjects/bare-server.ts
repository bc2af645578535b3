import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import pg from 'pg';

/**
 * The runtime's limit: no routing, no key, no log, only an answer that was written beforehand. Given a PostgreSQL, it looks
 * for a key there before it answers, once for all that were asked for in a turn of the event loop.
 */
const [files = '', port, url, key = ''] = process.argv.slice(2);
const { status, headers } = JSON.parse(readFileSync(join(files, 'answer.json'), 'utf8'));
const body = readFileSync(join(files, 'body'));

function answer(response: ServerResponse): void {
  response.writeHead(status, headers);
  response.end(body.length > 0 ? body : undefined);
}

async function lookFirst(url: string): Promise<(response: ServerResponse) => void> {
  const database = new pg.Client(url);
  await database.connect();
  const text = `SELECT keys.id, keys.store_id, keys.scope, stores.revision FROM keys
    JOIN stores ON stores.id = keys.store_id WHERE hash = $1 AND revoked_at IS NULL`;
  let waiting: ServerResponse[] = [];
  const look = async () => {
    const group = waiting;
    waiting = [];
    const { rows } = await database.query({ name: 'look', text, values: [hash('sha256', key)] });
    if (rows.length !== 1) throw new Error('the key is not there');
    group.forEach(answer);
  };
  return (response) => {
    if (waiting.push(response) === 1) setImmediate(look);
  };
}

const answering = url === undefined ? answer : await lookFirst(url);
const server = createServer((_, response) => answering(response));
server.keepAliveTimeout = 72_000;
server.listen(Number(port), '127.0.0.1');
