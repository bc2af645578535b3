import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** The disk's limit with one commit each: the statements that a cancel makes, and nothing around them. */
const [path = '', store = '', idsFile = '', seconds = ''] = process.argv.slice(2);
const storeId = BigInt(store);
const ids = (JSON.parse(readFileSync(idsFile, 'utf8')) as string[]).map(BigInt);

using db = new DatabaseSync(path, { timeout: 5_000 });
// The settings of the service itself.
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
db.exec('PRAGMA wal_autocheckpoint = 16384; PRAGMA cache_size = -16384');
const prepare = (sql: string) => {
  const statement = db.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
};
const begin = prepare('BEGIN IMMEDIATE');
const commit = prepare('COMMIT');
const counters = prepare('SELECT revision FROM stores WHERE id = ?');
const cancel = prepare(
  "UPDATE orders SET status = 'cancelled', updated_at = ?, revision = ? WHERE store_id = ? AND id = ? AND status = 'pending' RETURNING pet_id, quantity",
);
const record = prepare('INSERT INTO order_changes VALUES (?, ?, ?)');
const giveBack = prepare('UPDATE pets SET stock = stock + ?, revision = ? WHERE store_id = ? AND id = ?');
const save = prepare('UPDATE stores SET revision = ? WHERE id = ?');

const started = performance.now();
const until = started + Number(seconds) * 1000;
let count = 0;
for (const id of ids) {
  if (performance.now() >= until) break;
  const at = BigInt(Date.now());
  begin.run();
  const revision = (counters.get(storeId) as { revision: bigint }).revision + 1n;
  const order = cancel.get(at, revision, storeId, id) as { pet_id: bigint; quantity: bigint } | undefined;
  if (!order) throw new Error(`order ${id} was not pending`);
  record.run(storeId, revision, id);
  giveBack.run(order.quantity, revision, storeId, order.pet_id);
  save.run(revision, storeId);
  commit.run();
  count++;
}
console.log(JSON.stringify({ count, elapsed: (performance.now() - started) / 1000 }));
