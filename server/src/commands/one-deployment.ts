import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FlagValues } from '../config/flags.ts';
import { locationFrom } from '../config/location.ts';
import { UsageError } from '../config/usage-error.ts';
import { UnusableDatabase } from '../database/engine.ts';
import { type OpenDeployment, openDeployment } from '../open-deployment.ts';

export function oneDeployment(command: string, values: FlagValues) {
  const location = locationFrom(values);
  const [name, other] = location.deployments;
  if (name === undefined || other !== undefined)
    throw new UsageError(`${command} needs --deployment production or staging`);
  return { name, location, sqliteFile: join(location.data, `${name}.db`) };
}

/** Refuses a folder without a database, which opening would make: most likely it is mistyped. */
export function existingDeployment(command: string, values: FlagValues) {
  const one = oneDeployment(command, values);
  if (one.location.database === undefined && !existsSync(one.sqliteFile))
    throw new UnusableDatabase(`there is no database ${one.sqliteFile}; --data says where it is`);
  return one;
}

export function openExisting(command: string, values: FlagValues): Promise<OpenDeployment> {
  const { name, location } = existingDeployment(command, values);
  return openDeployment(name, location);
}
