import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Location } from '../config/location.ts';
import { makeFolder } from '../database/data-folder.ts';
import { UnusableDatabase } from '../database/engine.ts';
import { preparePostgres } from '../database/prepare-postgres.ts';
import { prepareSqlite } from '../database/prepare-sqlite.ts';
import type { DeploymentName } from '../deployment.ts';
import { openPostgresTransfer } from './postgres-transfer.ts';
import { openSqliteTransfer } from './sqlite-transfer.ts';
import type { TransferConnection } from './transfer-connection.ts';

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
