import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandResult, ServerCommand } from '../config/flags.ts';
import { UsageError } from '../config/usage-error.ts';
import { backUpSqlite, restoreSqlite } from '../database/copy-sqlite.ts';
import { createFolder } from '../database/database-files.ts';
import { UnusableDatabase } from '../database/engine.ts';
import { openMaintenanceSession, preparePostgres } from '../database/prepare-postgres.ts';
import { SqliteConnection } from '../database/sqlite.ts';
import type { DeploymentName } from '../domain/deployment.ts';
import { advanceRevisions } from '../stores/advance-revisions.ts';
import { countStores } from '../stores/find-store.ts';
import { checkConsistency } from './check-consistency.ts';
import { timestamp } from './maintenance.ts';
import { oneDeployment } from './one-deployment.ts';

export const backup: ServerCommand<CommandResult> = async (values, [target = '']) => {
  const { name, sqliteFile, location } = oneDeployment('backup', values);
  if (location.database !== undefined)
    throw new UsageError(
      'backup supports only the embedded database; for PostgreSQL, use pg_dump or pg_basebackup',
    );
  const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory();
  const file = isFolder ? join(target, `${name}-${timestamp(Date.now())}.db`) : target;
  await backUpSqlite(sqliteFile, file);
  return { text: file, json: { file } };
};

export const restore: ServerCommand<CommandResult> = async (values, [copy = '']) => {
  const { name, sqliteFile, location } = oneDeployment('restore', values);
  if (location.database !== undefined) return finishPostgresRestore(name, location.database, copy);
  if (copy === '') throw new UsageError('restore requires the FILE to restore');
  createFolder(location.data);
  await restoreSqlite(copy, sqliteFile, async (part) => {
    await using connection = new SqliteConnection(part, 'write');
    const found = (await checkConsistency(connection)).find(({ problems }) => problems.length > 0);
    if (found) throw new UnusableDatabase(`${copy} is damaged: ${found.what}: ${found.problems[0]}`);
    await advanceRevisions(connection, Date.now());
  });
  return { text: sqliteFile, json: { file: sqliteFile } };
};

/** Run after pg_restore: advances the revisions, so that clients do not take restored data for what they have cached. */
async function finishPostgresRestore(
  name: DeploymentName,
  url: string,
  copy: string,
): Promise<CommandResult> {
  if (copy !== '')
    throw new UsageError(
      'restore does not accept FILE with --database: run pg_restore first, then restore without FILE',
    );
  await preparePostgres(url, true);
  await using session = await openMaintenanceSession(url);
  await session.begin();
  await advanceRevisions(session, Date.now());
  await session.commit();
  const stores = await countStores(session);
  return { text: `Advanced the revisions of ${stores} stores in ${name}`, json: { stores } };
}
