import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { FlagValues, ServerCommand, Told } from '../config/flags.ts';
import { UsageError } from '../config/usage-error.ts';
import { backUpSqlite, restoreSqlite } from '../database/copy-sqlite.ts';
import { makeFolder } from '../database/database-files.ts';
import { UnusableDatabase } from '../database/engine.ts';
import { SqliteConnection } from '../database/sqlite.ts';
import { findContradictions } from './find-contradictions.ts';
import { timestamp } from './maintenance.ts';
import { oneDeployment } from './one-deployment.ts';

export const backup: ServerCommand<Told> = async (values, [target = '']) => {
  const { name, sqliteFile } = embedded('backup', values);
  const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory();
  const file = isFolder ? join(target, `${name}-${timestamp(Date.now())}.db`) : target;
  await backUpSqlite(sqliteFile, file);
  return { text: file, json: { file } };
};

export const restore: ServerCommand<Told> = async (values, [copy = '']) => {
  const { sqliteFile, location } = embedded('restore', values);
  makeFolder(location.data);
  await restoreSqlite(copy, sqliteFile, async (part) => {
    await using connection = new SqliteConnection(part, 'read');
    const found = (await findContradictions(connection)).find(({ problems }) => problems.length > 0);
    if (found) throw new UnusableDatabase(`${copy} is damaged: ${found.what}: ${found.problems[0]}`);
  });
  return { text: sqliteFile, json: { file: sqliteFile } };
};

function embedded(command: string, values: FlagValues) {
  const one = oneDeployment(command, values);
  if (one.location.database !== undefined)
    throw new UsageError(`${command} is for the embedded database; PostgreSQL has pg_dump and pg_restore`);
  return one;
}
