import { join } from 'node:path';
import type { Location } from '../config/location.ts';
import { createFolder, identityOf } from '../database/database-files.ts';
import { openPostgres } from '../database/postgres.ts';
import { preparePostgres } from '../database/prepare-postgres.ts';
import { prepareSqlite } from '../database/prepare-sqlite.ts';
import { checkpointWal, openSqlite } from '../database/sqlite.ts';
import type { DeploymentName } from '../domain/deployment.ts';
import { deploymentSecret } from '../writer/deployment-secret.ts';
import { openPostgresWriter } from '../writer/postgres-writer.ts';
import { openSqliteWriter } from '../writer/sqlite-writer.ts';
import type { WriteLimits } from '../writer/writer.ts';

export type OpenDeployment = Awaited<ReturnType<typeof openDeployment>>;

/**
 * With limits, for a service: waits until the writer is ready. Without, for a command: changes have no timeout, because an
 * aborted `keys create` might commit a key that was never shown.
 */
export async function openDeployment(name: DeploymentName, location: Location, limits?: WriteLimits) {
  await using opening = new AsyncDisposableStack();
  const { db, writer, release, prepared } = await (location.database === undefined
    ? openSqliteEngine(name, location.data, limits)
    : openPostgresEngine(location.database, location.acceptUnsafe, limits));
  // Closed in reverse: the last connection of a SQLite file checkpoints its log, which a reader cannot.
  opening.defer(release);
  opening.defer(() => writer.close());
  opening.defer(() => db.close());
  if (limits) await writer.start();
  const secret = await deploymentSecret(db, writer);
  const resources = opening.move();
  return { name, db, writer, secret, ...prepared, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

async function openSqliteEngine(name: DeploymentName, folder: string, limits: WriteLimits | undefined) {
  createFolder(folder);
  const path = join(folder, `${name}.db`);
  const prepared = prepareSqlite(path);
  const file = identityOf(path);
  const release = () => checkpointWal(path, file);
  return { db: openSqlite(path, file), writer: openSqliteWriter(path, file, limits), release, prepared };
}

async function openPostgresEngine(url: string, acceptUnsafe: boolean, limits: WriteLimits | undefined) {
  const prepared = await preparePostgres(url, acceptUnsafe);
  const writer = openPostgresWriter(url, acceptUnsafe, limits);
  return { db: openPostgres(url), writer, release: () => {}, prepared };
}
