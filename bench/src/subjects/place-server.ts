import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SHIPPING_MS, statements, tables, WEEK_MS } from './placement.ts';

/** Bare node:http and the bare driver: all that wait are placed in one commit. No key, no errors, no log. */
const [folder = '', port] = process.argv.slice(2);
const STORE = 1;
const db = new DatabaseSync(join(folder, 'bare.db'));
// As the service has it: a commit is on disk before it is answered.
db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${tables}`);
const sql = statements('?');
db.prepare(sql.openStore).run(STORE);
db.prepare(sql.stockUp).run(STORE);
const [counters, take, insert, record, count, save] = [
  db.prepare(sql.counters),
  db.prepare(sql.take),
  db.prepare(sql.insert),
  db.prepare(sql.record),
  db.prepare(sql.count),
  db.prepare(sql.save),
];

interface Wanted {
  readonly petId: number;
  readonly quantity: number;
}

function place({ petId, quantity }: Wanted) {
  const at = Date.now();
  const shipDate = at + SHIPPING_MS;
  const { revision, next_order_id: id } = counters.get(STORE) as { revision: number; next_order_id: number };
  if (take.run(quantity, STORE, petId).changes !== 1) throw new Error('the stock has run out');
  insert.run(STORE, id, petId, quantity, shipDate, at, revision + 1);
  record.run(STORE, revision + 1, at, id, petId, quantity, shipDate);
  count.run(STORE, Math.floor(shipDate / WEEK_MS));
  save.run(revision + 1, id + 1, STORE);
  const [ship, now] = [new Date(shipDate).toISOString(), new Date(at).toISOString()];
  return {
    id,
    petId,
    quantity,
    shipDate: ship,
    complete: false,
    status: 'pending',
    placedAt: now,
    updatedAt: now,
  };
}

let waiting: Array<Wanted & { readonly response: ServerResponse }> = [];

function placeTogether(): void {
  const group = waiting;
  waiting = [];
  db.exec('BEGIN IMMEDIATE');
  const orders = group.map(place);
  db.exec('COMMIT');
  for (const [index, { response }] of group.entries()) {
    const body = JSON.stringify(orders[index]);
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  }
}

const server = createServer(async (request, response) => {
  if (request.method !== 'POST') return void response.end();
  let text = '';
  for await (const chunk of request) text += chunk;
  if (waiting.push({ ...(JSON.parse(text) as Wanted), response }) === 1) setImmediate(placeTogether);
});
server.listen(Number(port), '127.0.0.1');
