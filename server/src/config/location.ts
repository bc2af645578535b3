import { type DeploymentName, deploymentNames } from '../domain/deployment.ts';
import { choice, type FlagValues } from './flags.ts';
import { UsageError } from './usage-error.ts';

export type Location = Readonly<ReturnType<typeof locationFrom>>;

export function locationFrom(values: FlagValues) {
  const { database, data = 'data', 'accept-unsafe-database': acceptUnsafe = false } = values;
  const deployment = choice(values, 'deployment');
  if (database !== undefined) requireUnambiguousUrl(database);
  if (database !== undefined && deployment === undefined)
    throw new UsageError('--database requires --deployment: each deployment needs its own database');
  const deployments: readonly DeploymentName[] = deployment === undefined ? deploymentNames : [deployment];
  return { deployments, data, database, acceptUnsafe };
}

/** Rejects a password with unescaped characters, which would change the host of the URL. */
function requireUnambiguousUrl(address: string): void {
  if (!/^postgres(ql)?:\/\//.test(address))
    throw new UsageError('invalid --database: must be a postgres:// URL');
  // PostgreSQL accepts a URL without a host; the URL standard does not.
  const url = URL.parse(address.replace('@/', '@localhost/'));
  if (url && !/[@/]/.test(url.pathname.slice(1)) && url.hash === '') return;
  throw new UsageError(
    'invalid --database: in its user and password, write / as %2F, ? as %3F, # as %23, @ as %40, : as %3A and % as %25',
  );
}
