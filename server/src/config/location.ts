import { type DeploymentName, deploymentNames } from '../deployment.ts';
import type { FlagValues } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** Where the data of one command's deployments is. */
export interface Location {
  readonly deployments: readonly DeploymentName[];
  readonly data: string;
  readonly database: string | undefined;
  readonly acceptUnsafe: boolean;
}

/** What its password has unescaped ends the address too soon, and another host would be asked. */
function refuseMisread(address: string): void {
  // An address may name no host; to the standard, that is none.
  const url = URL.parse(address.replace('@/', '@localhost/'));
  if (url && !/[@/]/.test(url.pathname.slice(1)) && url.hash === '') return;
  throw new UsageError(
    '--database cannot be read: in its user and password, write / as %2F, ? as %3F, # as %23, @ as %40, : as %3A and % as %25',
  );
}

export function locationFrom(values: FlagValues): Location {
  const { deployment, database } = values;
  if (deployment !== undefined && !deploymentNames.includes(deployment as DeploymentName)) {
    throw new UsageError(`--deployment is '${deployment}': it must be ${deploymentNames.join(' or ')}`);
  }
  if (database !== undefined && !/^postgres(ql)?:\/\//.test(String(database))) {
    throw new UsageError('--database must be a postgres:// address');
  }
  if (database !== undefined) refuseMisread(String(database));
  if (database !== undefined && deployment === undefined) {
    throw new UsageError('--database needs --deployment: each deployment has a database of its own');
  }
  return {
    deployments: deployment === undefined ? deploymentNames : [deployment as DeploymentName],
    data: String(values.data ?? 'data'),
    database: database === undefined ? undefined : String(database),
    acceptUnsafe: values['accept-unsafe-database'] === true,
  };
}
