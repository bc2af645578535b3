import pg from 'pg';
import { SHIPPING_MS, statements, stockUp, weekOf } from './placement.ts';

/** Placements by a bare pg.Pool, one commit each, one after the other in each of the first stores: prints how many a second. */
const [url = '', stores = '', seconds = ''] = process.argv.slice(2);
const PET = 1;
const WARM_UP_MS = 500;
const sql = statements('$');
const pool = new pg.Pool({ connectionString: url, max: 16 });
await pool.query(stockUp);
const { rows: found } = await pool.query('SELECT id FROM stores ORDER BY id LIMIT $1', [stores]);
const ids = found.map(({ id }) => id as string);

async function place(store: string): Promise<void> {
  const client = await pool.connect();
  const run = async (name: keyof typeof sql, values: unknown[], more = '') =>
    client.query({ name, text: sql[name] + more, values });
  const at = Date.now();
  const shipDate = at + SHIPPING_MS;
  await client.query('BEGIN');
  const { rows } = await run('counters', [store], ' FOR NO KEY UPDATE');
  const revision = Number(rows[0].revision) + 1;
  const id = Number(rows[0].next_order_id);
  await run('take', [1, revision, store, PET]);
  await run('insert', [store, id, PET, 1, shipDate, at, revision]);
  await run('record', [store, revision, at, id, PET, 1, shipDate]);
  await run('count', [store, weekOf(shipDate)]);
  await run('save', [revision, id + 1, store]);
  await client.query('COMMIT');
  client.release();
}

/** Placements a second, in all stores at once. */
async function rateFor(milliseconds: number): Promise<number> {
  let placed = 0;
  const started = performance.now();
  const inStore = async (store: string) => {
    for (; performance.now() < started + milliseconds; placed++) await place(store);
  };
  await Promise.all(ids.map(inStore));
  return placed / ((performance.now() - started) / 1000);
}

await rateFor(WARM_UP_MS);
console.log(await rateFor(Number(seconds) * 1000));
await pool.end();
