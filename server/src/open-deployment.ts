import { join } from 'node:path';
import type { Location } from './config/location.ts';
import { makeFolder, markOf } from './database/database-files.ts';
import { openPostgres } from './database/postgres.ts';
import { preparePostgres } from './database/prepare-postgres.ts';
import { prepareSqlite } from './database/prepare-sqlite.ts';
import { foldLog, openSqlite } from './database/sqlite.ts';
import type { DeploymentName } from './deployment.ts';
import { deploymentSecret, SEAL } from './stores/deployment-secret.ts';
import { openPostgresWriter } from './writer/postgres-writer.ts';
import { openSqliteWriter, type Patience, patienceOfService } from './writer/sqlite-writer.ts';

export type OpenDeployment = Awaited<ReturnType<typeof openDeployment>>;

/** A service gives up what a disk does not take in time. A command waits: given up, a key may be made that nobody was shown. */
export async function openDeployment(name: DeploymentName, location: Location, { forService = false } = {}) {
  await using opening = new AsyncDisposableStack();
  const { db, writer, release, prepared } = await (location.database === undefined
    ? openEmbedded(name, location.data, forService ? patienceOfService : undefined)
    : openServer(location.database, location.acceptUnsafe));
  // The reader is closed first: whoever is last to let go of a SQLite file folds its log into it.
  opening.defer(release);
  opening.defer(() => writer.close());
  opening.defer(() => db.close());
  const secret = await deploymentSecret(db, writer, SEAL);
  const open = opening.move();
  return { name, db, writer, secret, ...prepared, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

async function openEmbedded(name: DeploymentName, folder: string, patience: Patience | undefined) {
  makeFolder(folder);
  const path = join(folder, `${name}.db`);
  const prepared = prepareSqlite(path);
  const file = markOf(path);
  const release = () => foldLog(path, file);
  return { db: openSqlite(path, file), writer: openSqliteWriter(path, file, patience), release, prepared };
}

async function openServer(url: string, acceptUnsafe: boolean) {
  const prepared = await preparePostgres(url, acceptUnsafe);
  const writer = openPostgresWriter(url, { acceptUnsafe });
  return { db: openPostgres(url), writer, release: () => {}, prepared };
}
