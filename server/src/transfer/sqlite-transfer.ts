import { DatabaseSync } from 'node:sqlite';
import { Unavailable } from '../database/engine.ts';
import { quoted, type TransferConnection, type TransferRow, tableNames, tableOf } from './tables.ts';

const BUSY_TIMEOUT_MS = 10_000;
const BATCH = 1_000;

export function openSqliteTransfer(path: string, mode: 'read' | 'write'): TransferConnection {
  const db = new DatabaseSync(path, { readOnly: mode === 'read', timeout: BUSY_TIMEOUT_MS });
  try {
    db.exec('PRAGMA cache_size = -131072');
    if (mode === 'write') db.exec('PRAGMA synchronous = FULL');
    db.exec(mode === 'read' ? 'BEGIN' : 'BEGIN IMMEDIATE');
  } catch (error) {
    db.close();
    throw new Unavailable(`the database ${path} cannot be used now: ${(error as Error).message}`);
  }

  return {
    tables: tableNames.map((name) => {
      const columns = db.prepare(`SELECT * FROM ${name}`).columns();
      return tableOf(
        name,
        columns.map(({ name, type }) => [name, type === 'TEXT' ? 'text' : 'integer']),
      );
    }),
    async count({ name }) {
      return Number(db.prepare(`SELECT count(*) AS count FROM ${name}`).get()?.count);
    },
    async *rows({ name, columns, key }) {
      const names = Object.keys(columns);
      const statement = db.prepare(`SELECT ${quoted(names)} FROM ${name} ORDER BY ${quoted(key)}`);
      statement.setReadBigInts(true);
      let batch: TransferRow[] = [];
      for (const row of statement.iterate()) {
        batch.push(names.map((column) => (row[column] === null ? null : String(row[column]))));
        if (batch.length < BATCH) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },
    async insert({ name, columns }, rows) {
      const names = Object.keys(columns);
      const types = Object.values(columns);
      const statement = db.prepare(`INSERT INTO ${name} (${quoted(names)}) VALUES (${names.map(() => '?')})`);
      // It answers each insert with the row's id, which may be any int64.
      statement.setReadBigInts(true);
      for (const row of rows)
        statement.run(
          ...row.map((value, i) => (value !== null && types[i] === 'integer' ? BigInt(value) : value)),
        );
    },
    async clear({ name }) {
      db.exec(`DELETE FROM ${name}`);
    },
    async commit() {
      db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
    },
    async [Symbol.asyncDispose]() {
      db.close();
    },
  };
}
