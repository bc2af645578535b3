import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';

/** The first page of the largest store, by the bare driver and JSON.stringify: no key, no errors, no log. */
const [path = '', port] = process.argv.slice(2);
const LIMIT = 50;
const db = new DatabaseSync(path, { readOnly: true });
const largest = db.prepare('SELECT id FROM stores ORDER BY next_order_id DESC LIMIT 1');
largest.setReadBigInts(true);
const storeId = largest.get()?.id as bigint;
const select = db.prepare(
  `SELECT id, pet_id, quantity, ship_date, status, placed_at, updated_at FROM orders
    WHERE store_id = ? AND id > ? ORDER BY id LIMIT ?`,
);

const date = (value: unknown) => new Date(Number(value)).toISOString();
/** As long as a cursor of the service. */
const nextCursor = 'x'.repeat(54);

const server = createServer((_, response) => {
  const rows = select.all(storeId, 0, LIMIT + 1).slice(0, LIMIT);
  const data = rows.map((row) => ({
    id: row.id,
    petId: row.pet_id,
    quantity: row.quantity,
    shipDate: date(row.ship_date),
    complete: row.status === 'delivered',
    status: row.status,
    placedAt: date(row.placed_at),
    updatedAt: date(row.updated_at),
  }));
  const body = JSON.stringify({ data, nextCursor });
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
});
server.listen(Number(port), '127.0.0.1');
