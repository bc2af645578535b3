import { createServer, type ServerResponse } from 'node:http';
import { DatabaseSync } from 'node:sqlite';

/**
 * The limit of runtime and disk together: a server that cancels whatever it is asked to, with as few statements as will
 * do, all that wait in one commit, and knows neither keys nor errors nor a log.
 */
const [path = '', store = '', port] = process.argv.slice(2);
const storeId = BigInt(store);

const db = new DatabaseSync(path, { timeout: 5_000 });
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

let waiting: Array<{ id: bigint; response: ServerResponse }> = [];

function cancelTogether(): void {
  const group = waiting;
  waiting = [];
  const at = BigInt(Date.now());
  const units = new Map<bigint, bigint>();
  begin.run();
  let { revision } = counters.get(storeId) as { revision: bigint };
  for (const { id } of group) {
    revision++;
    const order = cancel.get(at, revision, storeId, id) as { pet_id: bigint; quantity: bigint };
    record.run(storeId, revision, id);
    units.set(order.pet_id, (units.get(order.pet_id) ?? 0n) + order.quantity);
  }
  for (const [pet, quantity] of units) giveBack.run(quantity, revision, storeId, pet);
  save.run(revision, storeId);
  commit.run();
  for (const { response } of group) response.writeHead(204).end();
}

const server = createServer(({ method, url }, response) => {
  if (method !== 'DELETE') return void response.end();
  const id = BigInt(String(url).slice(String(url).lastIndexOf('/') + 1));
  if (waiting.push({ id, response }) === 1) setImmediate(cancelTogether);
});
server.keepAliveTimeout = 72_000;
server.listen(Number(port), '127.0.0.1');
