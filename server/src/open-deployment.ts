import { join } from 'node:path';
import type { Location } from './config/location.ts';
import { makeFolder, markOf } from './database/database-files.ts';
import { migrations, type OnMigrated } from './database/migrations.ts';
import { openPostgres } from './database/postgres-reader.ts';
import { preparePostgres } from './database/prepare-postgres.ts';
import { prepareSqlite } from './database/prepare-sqlite.ts';
import { foldLog } from './database/sqlite.ts';
import { openSqlite } from './database/sqlite-reader.ts';
import type { DeploymentName } from './deployment.ts';
import { deploymentSecret } from './stores/deployment-secret.ts';
import { openPostgresWriter } from './writer/postgres-writer.ts';
import { openSqliteWriter } from './writer/sqlite-writer.ts';

export type OpenDeployment = Awaited<ReturnType<typeof openDeployment>>;

export interface OpeningOptions {
  /** SQLite then writes on a thread, so that no change holds up requests. */
  readonly forService?: boolean;
  readonly onMigrated?: OnMigrated;
}

export async function openDeployment(name: DeploymentName, location: Location, options: OpeningOptions = {}) {
  await using opening = new AsyncDisposableStack();
  const { db, writer, release, found } = await (location.database === undefined
    ? openEmbedded(name, location.data, options)
    : openServer(location.database, location.acceptUnsafe, options));
  // The reader is closed first: whoever is last to let go of a SQLite file folds its log into it.
  opening.defer(release);
  opening.defer(() => writer.close());
  opening.defer(() => db.close());
  const secret = await deploymentSecret(db, writer, 'seal');
  const open = opening.move();
  return { name, db, writer, secret, found, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

async function openEmbedded(name: DeploymentName, folder: string, options: OpeningOptions) {
  makeFolder(folder);
  const path = join(folder, `${name}.db`);
  const found = prepareSqlite(path, migrations, options.onMigrated);
  const file = markOf(path);
  const db = openSqlite(path, file);
  const writer = openSqliteWriter(path, file, { onThread: options.forService ?? false });
  return { db, writer, release: () => foldLog(path, file), found };
}

async function openServer(url: string, acceptUnsafe: boolean, { onMigrated }: OpeningOptions) {
  const found = await preparePostgres(url, acceptUnsafe, migrations, onMigrated);
  const writer = openPostgresWriter(url, { acceptUnsafe });
  return { db: openPostgres(url), writer, release: () => {}, found };
}
