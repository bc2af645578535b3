import { DatabaseSync } from 'node:sqlite';

/** The statements of a cancel through the bare driver, with the settings of the service itself. */
export function openForCancels(path: string) {
  const db = new DatabaseSync(path, { timeout: 5_000 });
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  db.exec('PRAGMA wal_autocheckpoint = 16384; PRAGMA cache_size = -16384');
  const prepare = (sql: string) => {
    const statement = db.prepare(sql);
    statement.setReadBigInts(true);
    return statement;
  };
  return {
    begin: prepare('BEGIN IMMEDIATE'),
    commit: prepare('COMMIT'),
    counters: prepare('SELECT revision FROM stores WHERE id = ?'),
    cancel: prepare(
      "UPDATE orders SET status = 'cancelled', updated_at = ?, revision = ? WHERE store_id = ? AND id = ? AND status = 'pending' RETURNING pet_id, quantity",
    ),
    record: prepare(
      "INSERT INTO changes (store_id, revision, order_id, at, type) VALUES (?, ?, ?, 0, 'order.cancelled')",
    ),
    giveBack: prepare('UPDATE pets SET stock = stock + ?, revision = ? WHERE store_id = ? AND id = ?'),
    save: prepare('UPDATE stores SET revision = ? WHERE id = ?'),
  };
}
