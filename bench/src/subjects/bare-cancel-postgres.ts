import { readFileSync } from 'node:fs';
import pg from 'pg';

/** The disk's limit with one commit each: the statements that a cancel makes, and nothing around them. */
const [url = '', storeId = '', idsFile = '', seconds = ''] = process.argv.slice(2);
const ids = JSON.parse(readFileSync(idsFile, 'utf8')) as string[];

const client = new pg.Client({ connectionString: url });
await client.connect();
const run = async (name: string, text: string, values: unknown[] = []) =>
  (await client.query({ name, text, values })).rows[0];

const started = performance.now();
const until = started + Number(seconds) * 1000;
let count = 0;
for (const id of ids) {
  if (performance.now() >= until) break;
  const at = Date.now();
  await client.query('BEGIN');
  const store = await run('lock', 'SELECT revision FROM stores WHERE id = $1 FOR UPDATE', [storeId]);
  const revision = BigInt(store.revision) + 1n;
  const order = await run(
    'cancel',
    "UPDATE orders SET status = 'cancelled', sum = sum + $1 - updated_at + $2 - revision + 3, updated_at = $1, revision = $2 WHERE store_id = $3 AND id = $4 AND status = 'pending' RETURNING pet_id, quantity, ship_date, placed_at",
    [at, revision, storeId, id],
  );
  if (!order) throw new Error(`order ${id} was not pending`);
  await run(
    'record',
    "INSERT INTO changes (store_id, revision, order_id, at, type, pet_id, quantity, ship_date, placed_at) VALUES ($1, $2, $3, $4, 'order.cancelled', $5, $6, $7, $8)",
    [storeId, revision, id, at, order.pet_id, order.quantity, order.ship_date, order.placed_at],
  );
  await run(
    'giveBack',
    'UPDATE pets SET stock = stock + $1, sum = sum + $1 + $2 - revision, revision = $2 WHERE store_id = $3 AND id = $4',
    [order.quantity, revision, storeId, order.pet_id],
  );
  await run('save', 'UPDATE stores SET revision = $1 WHERE id = $2', [revision, storeId]);
  await client.query('COMMIT');
  count++;
}
console.log(JSON.stringify({ count, elapsed: (performance.now() - started) / 1000 }));
await client.end();
