import { type FlagName, type Location, locationFrom, readFlags, UsageError } from '../config.ts';
import type { DeploymentName } from '../deployment.ts';

/** The deployment that a command without arguments works on, and where its data is. */
export function oneDeployment(
  command: string,
  flags: readonly FlagName[],
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): { name: DeploymentName; location: Location } {
  const { values, positionals } = readFlags(flags, args, env);
  if (positionals.length > 0) throw new UsageError(`${command} takes no argument '${positionals[0]}'`);
  const location = locationFrom(values);
  const [name, other] = location.deployments;
  if (name === undefined || other !== undefined)
    throw new UsageError(`${command} needs --deployment production or staging`);
  return { name, location };
}
