import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteWriter } from './changes/sqlite-writer.ts';
import type { Writer } from './changes/writer.ts';
import type { Location } from './config.ts';
import { type Database, UnusableDatabase } from './database/engine.ts';
import { openSqlite, prepareSqlite } from './database/sqlite.ts';
import type { DeploymentName } from './deployment.ts';

export interface OpenDeployment extends AsyncDisposable {
  readonly name: DeploymentName;
  readonly db: Database;
  readonly writer: Writer;
}

/** Opens a deployment's database, brought to the newest schema, for reading and for writing. */
export async function openDeployment(name: DeploymentName, { data }: Location): Promise<OpenDeployment> {
  makeFolder(data);
  const path = join(data, `${name}.db`);
  prepareSqlite(path);
  const db = openSqlite(path);
  const writer = openSqliteWriter(path);
  return {
    name,
    db,
    writer,
    async [Symbol.asyncDispose]() {
      await writer.close();
      await db.close();
    },
  };
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
