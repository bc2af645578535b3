import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { WRITING } from '../../../server/src/database/sqlite.ts';

/** The bare driver with the settings that the service writes with: how to prepare a statement on the file. */
export function openForWriting(path: string): (sql: string) => StatementSync {
  const db = new DatabaseSync(path, { timeout: 5_000 });
  db.exec(`PRAGMA journal_mode = WAL; ${WRITING}`);
  return (sql) => {
    const statement = db.prepare(sql);
    statement.setReadBigInts(true);
    return statement;
  };
}
