import { createServer, type ServerResponse } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { fillStockSql, SHIPPING_MS, statements, weekOf } from './placement.ts';

/** node:http and the driver, without keys, error responses or a log: all waiting orders are placed in one commit. */
const [port, path = ''] = process.argv.slice(2);
const db = new DatabaseSync(path);
// As in the service: a commit is on disk before its response.
db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${fillStockSql}`);
const sql = statements('?');
const findStore = db.prepare('SELECT id FROM stores');
findStore.setReadBigInts(true);
const storeId = findStore.get()?.id as bigint;
const [readCounters, takeStock, insertOrder, appendChange, countInWeek, saveCounters] = [
  db.prepare(sql.readCounters),
  db.prepare(sql.takeStock),
  db.prepare(sql.insertOrder),
  db.prepare(sql.appendChange),
  db.prepare(sql.countInWeek),
  db.prepare(sql.saveCounters),
];

interface OrderInput {
  readonly petId: number;
  readonly quantity: number;
}

function place({ petId, quantity }: OrderInput) {
  const at = Date.now();
  const shipDate = at + SHIPPING_MS;
  const { revision, next_order_id: id } = readCounters.get(storeId) as {
    revision: number;
    next_order_id: number;
  };
  if (takeStock.run(quantity, revision + 1, storeId, petId).changes !== 1)
    throw new Error('the stock has run out');
  insertOrder.run(storeId, id, petId, quantity, shipDate, at, revision + 1);
  appendChange.run(storeId, revision + 1, at, id, petId, quantity, shipDate);
  countInWeek.run(storeId, weekOf(shipDate));
  saveCounters.run(revision + 1, id + 1, storeId);
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

let waiting: Array<OrderInput & { readonly response: ServerResponse }> = [];

function placeWaiting(): void {
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
  if (waiting.push({ ...(JSON.parse(text) as OrderInput), response }) === 1) setImmediate(placeWaiting);
});
server.listen(Number(port), '127.0.0.1');
