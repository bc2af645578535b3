import pg from 'pg';

/** The disk's limit with one commit each: the statements that a placement makes, and nothing around them. */
const [url = '', storeId = '', petId = '', seconds = ''] = process.argv.slice(2);
const SHIPPING_MS = 3 * 86_400_000;

const client = new pg.Client({ connectionString: url });
await client.connect();
const run = async (name: string, text: string, values: unknown[] = []) =>
  (await client.query({ name, text, values })).rows[0];

/** What the row of an order adds up to; 1 stands for one unit, and for pending. */
const sumOf = (id: bigint, revision: bigint, at: number) =>
  id + BigInt(petId) + 1n + BigInt(at + SHIPPING_MS) + 1n + BigInt(at + at) + revision;

const started = performance.now();
const until = started + Number(seconds) * 1000;
let count = 0;
while (performance.now() < until) {
  const at = Date.now();
  await client.query('BEGIN');
  const store = await run('lock', 'SELECT revision, next_order_id FROM stores WHERE id = $1 FOR UPDATE', [
    storeId,
  ]);
  const revision = BigInt(store.revision) + 1n;
  const id = BigInt(store.next_order_id);
  const pet = await run(
    'take',
    'UPDATE pets SET stock = stock - 1, revision = $1, sum = sum - 1 + $1 - revision WHERE store_id = $2 AND id = $3 AND stock >= 1 RETURNING stock',
    [revision, storeId, petId],
  );
  if (!pet) throw new Error('the stock has run out');
  await run(
    'insert',
    "INSERT INTO orders (store_id, id, pet_id, quantity, ship_date, status, placed_at, updated_at, revision, sum) VALUES ($1, $2, $3, 1, $4, 'pending', $5, $5, $6, $7)",
    [storeId, id, petId, at + SHIPPING_MS, at, revision, sumOf(id, revision, at)],
  );
  await run(
    'record',
    "INSERT INTO changes (store_id, revision, at, type, order_id, pet_id, quantity, ship_date, placed_at) VALUES ($1, $2, $3, 'order.placed', $4, $5, 1, $6, $3)",
    [storeId, revision, at, id, petId, at + SHIPPING_MS],
  );
  await run(
    'widen',
    'INSERT INTO order_zones (store_id, zone, earliest, latest) VALUES ($1, $2, $3, $3) ON CONFLICT (store_id, zone) DO UPDATE SET latest = excluded.latest WHERE excluded.latest > order_zones.latest',
    [storeId, id >> 10n, at + SHIPPING_MS],
  );
  await run('save', 'UPDATE stores SET revision = $1, next_order_id = $2 WHERE id = $3', [
    revision,
    id + 1n,
    storeId,
  ]);
  await client.query('COMMIT');
  count++;
}
console.log(JSON.stringify({ count, elapsed: (performance.now() - started) / 1000 }));
await client.end();
