import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Location } from '../config.ts';
import { UnusableDatabase } from '../database/engine.ts';
import { preparePostgres } from '../database/postgres.ts';
import { prepareSqlite } from '../database/sqlite.ts';
import type { DeploymentName } from '../deployment.ts';
import { openPostgresTransfer } from './postgres-transfer.ts';
import { openSqliteTransfer } from './sqlite-transfer.ts';
import type { TransferTable } from './tables.ts';

/** One row's values in the order of its table's columns. Integers are decimal text, exact at any size. */
export type TransferRow = ReadonlyArray<string | null>;

export interface Index {
  readonly name: string;
  readonly sql: string;
}

/** One long transaction on a deployment's database. What is not committed when it is disposed of never was. */
export interface TransferConnection extends AsyncDisposable {
  count(table: TransferTable): Promise<number>;
  /** All rows in the order of their key, some at a time. */
  rows(table: TransferTable): AsyncIterable<readonly TransferRow[]>;
  insert(table: TransferTable, rows: readonly TransferRow[]): Promise<void>;
  /** Drops the indexes until all rows are in: one is made much faster at once than row by row. */
  dropIndexes(): Promise<Index[]>;
  makeIndex(index: Index): Promise<void>;
  clear(table: TransferTable): Promise<void>;
  commit(): Promise<void>;
}

/** Opens one unchanging view of an existing deployment; it may go on serving meanwhile. */
export async function openSource(name: DeploymentName, location: Location): Promise<TransferConnection> {
  if (location.database !== undefined) {
    await preparePostgres(location.database, { acceptUnsafe: true });
    return openPostgresTransfer(location.database, 'read');
  }
  const path = join(location.data, `${name}.db`);
  if (!existsSync(path)) throw new UnusableDatabase(`there is no database ${path}`);
  prepareSqlite(path);
  return openSqliteTransfer(path, 'read');
}

/** Opens a deployment to write to, and keeps every other writer away. */
export async function openTarget(name: DeploymentName, location: Location): Promise<TransferConnection> {
  if (location.database !== undefined) {
    await preparePostgres(location.database, { acceptUnsafe: location.acceptUnsafe });
    return openPostgresTransfer(location.database, 'write');
  }
  makeFolder(location.data);
  const path = join(location.data, `${name}.db`);
  prepareSqlite(path);
  return openSqliteTransfer(path, 'write');
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new UnusableDatabase(
      `the data folder ${path} cannot be made (${(error as NodeJS.ErrnoException).code})`,
    );
  }
}
