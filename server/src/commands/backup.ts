import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { FlagValues, ServerCommand } from '../config/flags.ts';
import { UsageError } from '../config/usage-error.ts';
import { backUpSqlite, restoreSqlite } from '../database/copy-sqlite.ts';
import { makeFolder } from '../database/data-folder.ts';
import { UnusableDatabase } from '../database/engine.ts';
import { SqliteConnection } from '../database/sqlite.ts';
import { findContradictions } from './find-contradictions.ts';
import { timestamp } from './maintenance.ts';
import { oneDeployment } from './one-deployment.ts';

/** `petstore backup DIR|FILE --deployment NAME`: a checked copy, while the service runs. */
export const backup: ServerCommand = async (values, [target = '']) => {
  const { name, path } = embedded('backup', values);
  const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory();
  const file = isFolder ? join(target, `${name}-${timestamp(Date.now())}.db`) : target;
  await backUpSqlite(path, file);
  console.log(file);
};

/** `petstore restore FILE --deployment NAME`: while the service is stopped. */
export const restore: ServerCommand = async (values, [target = '']) => {
  const { path, folder } = embedded('restore', values);
  makeFolder(folder);
  await restoreSqlite(target, path, (part) => requireConsistent(part, target));
  console.log(path);
};

/** Refuses rows that contradict each other. */
async function requireConsistent(part: string, copy: string): Promise<void> {
  const connection = new SqliteConnection(part, 'read');
  try {
    const found = (await findContradictions(connection)).find(({ problems }) => problems.length > 0);
    if (found) throw new UnusableDatabase(`${copy} is damaged: ${found.what}: ${found.problems[0]}`);
  } finally {
    connection.close();
  }
}

function embedded(command: string, values: FlagValues) {
  const { name, location } = oneDeployment(command, values);
  if (location.database !== undefined)
    throw new UsageError(`${command} is for the embedded database; PostgreSQL has pg_dump and pg_restore`);
  return { name, path: join(location.data, `${name}.db`), folder: location.data };
}
