import { statSync } from 'node:fs';
import { join } from 'node:path';
import { timestamp } from '../background/back-up-regularly.ts';
import { locationFrom, readFlags, transferFlags, UsageError } from '../config.ts';
import { backUpSqlite, restoreSqlite } from '../database/copy-sqlite.ts';
import { makeFolder } from '../database/data-folder.ts';
import type { DeploymentName } from '../deployment.ts';

type Command = (args: readonly string[], env: NodeJS.ProcessEnv) => Promise<void>;

/** `petstore backup DIR|FILE --deployment NAME`: a checked copy, while the service runs. */
export const backup: Command = async (args, env) => {
  const { name, path, target } = readArguments('backup', args, env);
  const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory();
  const file = isFolder ? join(target, `${name}-${timestamp(Date.now())}.db`) : target;
  await backUpSqlite(path, file);
  console.log(file);
};

/** `petstore restore FILE --deployment NAME`: while the service is stopped. */
export const restore: Command = async (args, env) => {
  const { path, target, folder } = readArguments('restore', args, env);
  makeFolder(folder);
  await restoreSqlite(target, path);
  console.log(path);
};

function readArguments(command: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const { values, positionals } = readFlags(transferFlags, args, env);
  const { deployments, data, database } = locationFrom(values);
  const [target, ...more] = positionals;
  const [name, other] = deployments;
  if (database !== undefined)
    throw new UsageError(`${command} is for the embedded database; PostgreSQL has pg_dump and pg_restore`);
  if (target === undefined || more.length > 0) throw new UsageError(`${command} needs one file`);
  if (name === undefined || other !== undefined)
    throw new UsageError(`${command} needs --deployment production or staging`);
  return { name: name as DeploymentName, path: join(data, `${name}.db`), folder: data, target };
}
