import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Location } from '../config/location.ts';
import { timeouts } from '../config/timeouts.ts';
import { createFolder } from '../database/database-files.ts';
import { type Column, columnsCreatedBy, migrations } from '../database/migrations.ts';
import { openMaintenanceSession, preparePostgres } from '../database/prepare-postgres.ts';
import { prepareSqlite } from '../database/prepare-sqlite.ts';
import type { EngineName, Value } from '../database/query.ts';
import { translateErrors } from '../database/sqlite.ts';
import type { DeploymentName } from '../domain/deployment.ts';

export const BATCH = 2_000;

export interface TransferTable {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** One long transaction on a deployment's database. Disposing of it without a commit rolls it back. */
export interface TransferConnection extends AsyncDisposable {
  readonly engine: EngineName;
  readonly tables: readonly TransferTable[];
  select(sql: string): AsyncIterable<ReadonlyArray<readonly Value[]>>;
  write(sql: string, ...params: Value[]): Promise<void>;
  commit(): Promise<void>;
}

type Mode = 'read' | 'write';

/** `read`: a snapshot of a deployment, which may be running. `write`: locks out all other writers. */
export async function openTransfer(name: DeploymentName, location: Location, mode: Mode) {
  const { database, data, acceptUnsafe } = location;
  if (database !== undefined) {
    await preparePostgres(database, mode === 'read' || acceptUnsafe);
    return openPostgres(database, mode);
  }
  const path = join(data, `${name}.db`);
  if (mode === 'write') createFolder(data);
  prepareSqlite(path);
  return openSqlite(path, mode);
}

function openSqlite(path: string, mode: Mode): TransferConnection {
  const db = new DatabaseSync(path, {
    readOnly: mode === 'read',
    timeout: timeouts.transferLockTimeoutMs,
    readBigInts: true,
    returnArrays: true,
  });
  // A negative cache size is in KiB.
  db.exec('PRAGMA cache_size = -131072; PRAGMA synchronous = FULL');
  translateErrors(path, () => db.exec(mode === 'read' ? 'BEGIN' : 'BEGIN IMMEDIATE'));
  return {
    engine: 'sqlite',
    tables: allTables(),
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
      db.exec('COMMIT');
    },
    [Symbol.asyncDispose]: async () => db.close(),
  };
}

async function openPostgres(url: string, mode: Mode): Promise<TransferConnection> {
  await using opening = new AsyncDisposableStack();
  const session = opening.use(await openMaintenanceSession(url, timeouts.transferLockTimeoutMs));
  const tables = allTables();
  if (mode === 'read') {
    await session.exec('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  } else {
    await session.exec('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
    await session.exec(`LOCK TABLE ${tables.map(({ name }) => name)} IN EXCLUSIVE MODE`);
  }
  const open = opening.move();
  return {
    engine: 'postgres',
    tables,
    async *select(sql) {
      await session.exec(`DECLARE transfer NO SCROLL CURSOR FOR ${sql}`);
      const fetch = { text: `FETCH ${BATCH} FROM transfer`, rowMode: 'array' } as const;
      const next = async () => (await session.run(fetch)).rows as Value[][];
      for (let rows = await next(); rows.length > 0; rows = await next()) yield rows;
      await session.exec('CLOSE transfer');
    },
    async write(text, ...values) {
      await session.run({ text, values });
    },
    async commit() {
      await session.exec('COMMIT');
      // Best effort: autovacuum does it later.
      await session.exec('ANALYZE').catch(() => {});
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** All tables in order of creation, so that rows only refer to earlier tables. */
function allTables(): TransferTable[] {
  const tables = Map.groupBy(columnsCreatedBy(migrations), ({ table }) => table);
  return Array.from(tables, ([name, columns]) => ({ name, columns }));
}
