import pg from 'pg';
import { SHIPPING_MS, statements, tables, WEEK_MS } from './placement.ts';

/** Placements by a bare pg.Pool, one commit each, one after the other in every store: prints how many a second. */
const [url = '', stores = '', seconds = ''] = process.argv.slice(2);
const PET = 1;
const WARM_UP_MS = 500;
const sql = statements('$');
const pool = new pg.Pool({ connectionString: url, max: 16 });
await pool.query(tables);
const ids = Array.from({ length: Number(stores) }, (_, index) => index + 1);
for (const id of ids) {
  await pool.query(sql.openStore, [id]);
  await pool.query(sql.stockUp, [id]);
}

async function place(store: number): Promise<void> {
  const client = await pool.connect();
  const run = async (
    name: Exclude<keyof typeof sql, 'openStore' | 'stockUp'>,
    values: unknown[],
    more = '',
  ) => client.query({ name, text: sql[name] + more, values });
  const at = Date.now();
  const shipDate = at + SHIPPING_MS;
  await client.query('BEGIN');
  const { rows } = await run('counters', [store], ' FOR UPDATE');
  const revision = Number(rows[0].revision) + 1;
  const id = Number(rows[0].next_order_id);
  await run('take', [1, store, PET]);
  await run('insert', [store, id, PET, 1, shipDate, at, revision]);
  await run('record', [store, revision, at, id, PET, 1, shipDate]);
  await run('count', [store, Math.floor(shipDate / WEEK_MS)]);
  await run('save', [revision, id + 1, store]);
  await client.query('COMMIT');
  client.release();
}

/** Placements a second, in all stores at once. */
async function rateFor(milliseconds: number): Promise<number> {
  let placed = 0;
  const started = performance.now();
  const inStore = async (store: number) => {
    for (; performance.now() < started + milliseconds; placed++) await place(store);
  };
  await Promise.all(ids.map(inStore));
  return placed / ((performance.now() - started) / 1000);
}

await rateFor(WARM_UP_MS);
console.log(await rateFor(Number(seconds) * 1000));
await pool.end();
