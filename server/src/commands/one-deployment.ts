import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenDeployment, openDeployment } from '../app/open-deployment.ts';
import type { FlagValues } from '../config/flags.ts';
import { locationFrom } from '../config/location.ts';
import { UsageError } from '../config/usage-error.ts';
import { UnusableDatabase } from '../database/engine.ts';

export function oneDeployment(command: string, values: FlagValues) {
  const location = locationFrom(values);
  const [name, other] = location.deployments;
  if (name === undefined || other !== undefined)
    throw new UsageError(`${command} requires --deployment production or --deployment staging`);
  return { name, location, sqliteFile: join(location.data, `${name}.db`) };
}

/** Rejects a directory without a database, most likely mistyped, instead of creating one. */
export function existingDeployment(command: string, values: FlagValues) {
  const one = oneDeployment(command, values);
  if (one.location.database === undefined && !existsSync(one.sqliteFile))
    throw new UnusableDatabase(`database ${one.sqliteFile} not found; pass its directory with --data`);
  return one;
}

export function openExisting(command: string, values: FlagValues): Promise<OpenDeployment> {
  const { name, location } = existingDeployment(command, values);
  return openDeployment(name, location);
}
