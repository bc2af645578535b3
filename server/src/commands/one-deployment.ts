import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FlagValues } from '../config/flags.ts';
import { type Location, locationFrom } from '../config/location.ts';
import { UsageError } from '../config/usage-error.ts';
import { UnusableDatabase } from '../database/engine.ts';
import type { DeploymentName } from '../deployment.ts';

/** The one deployment that a command works on, and where its data is. */
export function oneDeployment(
  command: string,
  values: FlagValues,
): { name: DeploymentName; location: Location } {
  const location = locationFrom(values);
  const [name, other] = location.deployments;
  if (name === undefined || other !== undefined)
    throw new UsageError(`${command} needs --deployment production or staging`);
  return { name, location };
}

/** Refuses a folder without a database, which opening would make: most likely it is mistyped. */
export function mustExist(name: DeploymentName, { data, database }: Location): void {
  const path = join(data, `${name}.db`);
  if (database === undefined && !existsSync(path))
    throw new UnusableDatabase(`there is no database ${path}; --data says where it is`);
}
