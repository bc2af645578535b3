import { createServer } from 'node:http';
import pg from 'pg';
import { startProcessorTimer } from '../measure/processor-time.ts';
import { fillStockSql, SHIPPING_MS, statements, weekOf } from './placement.ts';

/** Places orders with pg.Pool, one commit each. `/?stores=64&seconds=1` places orders in 64 stores for a second of processor time, and returns their number. */
const [port, url = ''] = process.argv.slice(2);
const PET = 1;
const sql = statements('$');
const pool = new pg.Pool({ connectionString: url, max: 16 });
await pool.query(fillStockSql);
const { rows: stores } = await pool.query('SELECT id FROM stores ORDER BY id');

async function place(store: string): Promise<void> {
  const client = await pool.connect();
  const run = async (name: keyof typeof sql, values: unknown[], more = '') =>
    client.query({ name, text: sql[name] + more, values });
  const at = Date.now();
  const shipDate = at + SHIPPING_MS;
  await client.query('BEGIN');
  const { rows } = await run('readCounters', [store], ' FOR NO KEY UPDATE');
  const revision = Number(rows[0].revision) + 1;
  const id = Number(rows[0].next_order_id);
  await run('takeStock', [1, revision, store, PET]);
  await run('insertOrder', [store, id, PET, 1, shipDate, at, revision]);
  await run('appendChange', [store, revision, at, id, PET, 1, shipDate]);
  await run('countInWeek', [store, weekOf(shipDate)]);
  await run('saveCounters', [revision, id + 1, store]);
  await client.query('COMMIT');
  client.release();
}

const server = createServer(async ({ url = '' }, response) => {
  const query = new URL(url, 'http://localhost').searchParams;
  const isElapsed = startProcessorTimer(process.pid, Number(query.get('seconds')));
  let isOver = false;
  const timer = setInterval(() => {
    isOver = isElapsed();
  }, 5);
  let placed = 0;
  const placeInStore = async ({ id }: { id: string }) => {
    for (; !isOver; placed++) await place(id);
  };
  await Promise.all(stores.slice(0, Number(query.get('stores'))).map(placeInStore));
  clearInterval(timer);
  response.end(String(placed));
});
server.listen(Number(port), '127.0.0.1');
