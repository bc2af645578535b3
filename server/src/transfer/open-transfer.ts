import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Location } from '../config/location.ts';
import { makeFolder } from '../database/database-files.ts';
import { UnusableDatabase } from '../database/engine.ts';
import { preparePostgres } from '../database/prepare-postgres.ts';
import { prepareSqlite } from '../database/prepare-sqlite.ts';
import type { DeploymentName } from '../deployment.ts';
import { openPostgresTransfer } from './postgres-transfer.ts';
import { openSqliteTransfer } from './sqlite-transfer.ts';
import type { TransferConnection } from './tables.ts';

/** Reads one unchanging view of a deployment that may go on serving, or writes and keeps every other writer away. */
export async function openTransfer(
  name: DeploymentName,
  { database, data, acceptUnsafe }: Location,
  mode: 'read' | 'write',
): Promise<TransferConnection> {
  if (database !== undefined) {
    await preparePostgres(database, mode === 'read' || acceptUnsafe);
    return openPostgresTransfer(database, mode);
  }
  const path = join(data, `${name}.db`);
  if (mode === 'write') makeFolder(data);
  else if (!existsSync(path)) throw new UnusableDatabase(`there is no database ${path}`);
  prepareSqlite(path);
  return openSqliteTransfer(path, mode);
}
