import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Location } from './config.ts';
import { type Database, UnusableDatabase } from './database/engine.ts';
import { openPostgres, preparePostgres } from './database/postgres.ts';
import { openSqlite, prepareSqlite } from './database/sqlite.ts';
import type { DeploymentName } from './deployment.ts';
import { deploymentSecret } from './deployment-secret.ts';
import { openPostgresWriter } from './writer/postgres-writer.ts';
import { openSqliteWriter } from './writer/sqlite-writer.ts';
import type { Writer } from './writer/writer.ts';

export interface OpenDeployment extends AsyncDisposable {
  readonly name: DeploymentName;
  readonly db: Database;
  readonly writer: Writer;
  /** Known to every replica of the deployment, and to nobody else. */
  readonly secret: string;
}

/** Opens a deployment's database, brought to the newest schema, for reading and for writing. */
export async function openDeployment(name: DeploymentName, location: Location): Promise<OpenDeployment> {
  const { db, writer } = await (location.database === undefined
    ? openEmbedded(name, location.data)
    : openServer(location.database, location.acceptUnsafe));
  // The reader goes first: whoever is last to let go of a SQLite file folds its log into it.
  const close = () => db.close().finally(() => writer.close());
  try {
    const secret = await deploymentSecret(db, writer, 'seal');
    return { name, db, writer, secret, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openEmbedded(name: DeploymentName, folder: string) {
  makeFolder(folder);
  const path = join(folder, `${name}.db`);
  prepareSqlite(path);
  return { db: openSqlite(path), writer: openSqliteWriter(path) };
}

async function openServer(url: string, acceptUnsafe: boolean) {
  await preparePostgres(url, { acceptUnsafe });
  return { db: openPostgres(url), writer: openPostgresWriter(url) };
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UnusableDatabase(`the data folder ${path} cannot be written to (${code})`);
  }
}
