import { DatabaseSync } from 'node:sqlite';
import type { Value } from '../database/query.ts';
import { translate } from '../database/sqlite.ts';
import { type TransferConnection, transferTables } from './tables.ts';

const BUSY_TIMEOUT_MS = 10_000;
const BATCH = 1_000;

export function openSqliteTransfer(path: string, mode: 'read' | 'write'): TransferConnection {
  const db = new DatabaseSync(path, {
    readOnly: mode === 'read',
    timeout: BUSY_TIMEOUT_MS,
    readBigInts: true,
    returnArrays: true,
  });
  db.exec('PRAGMA cache_size = -131072; PRAGMA synchronous = FULL');
  translate(path, () => db.exec(mode === 'read' ? 'BEGIN' : 'BEGIN IMMEDIATE'));
  return {
    engine: 'sqlite',
    tables: transferTables(),
    async *select(sql) {
      let batch: Value[][] = [];
      for (const row of db.prepare(sql).iterate()) {
        batch.push(row as unknown as Value[]);
        if (batch.length < BATCH) continue;
        yield batch;
        batch = [];
      }
      yield batch;
    },
    async write(sql, ...params) {
      db.prepare(sql).run(...params);
    },
    async commit() {
      db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
    },
    async [Symbol.asyncDispose]() {
      db.close();
    },
  };
}
