import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Location } from '../config/location.ts';
import type { OnMigrated } from '../database/migrations.ts';
import { markServed, type ServingMark } from '../database/serving-mark.ts';
import type { DeploymentName } from '../deployment.ts';

/** Logs that a database was brought to a newer schema. */
export function tellMigrated(log: Logger, deployment: DeploymentName): OnMigrated {
  return (from, to) => log.info({ deployment, from, to }, 'the database was migrated');
}

/** Marks an embedded database as served, and warns where another process did so before. */
export function markDeployment(
  deployment: DeploymentName,
  { data, database }: Location,
  log: Logger,
): ServingMark | undefined {
  if (database !== undefined) return undefined;
  const mark = markServed(join(data, `${deployment}.db`));
  if (mark.isShared) log.warn({ deployment, data }, 'another process serves this folder');
  return mark;
}
