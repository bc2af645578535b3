import type { Logger } from 'pino';
import type { AccountOptions } from './accounts/console-context.ts';
import type { Database } from './database/engine.ts';
import type { DeploymentName } from './deployment.ts';
import type { StreamLimits } from './events/stream-events.http.ts';
import type { MetricsOptions } from './http/observe/metrics.ts';
import type { ConnectionOptions } from './http/server/http-server.ts';
import type { Servers } from './http/server/servers.ts';
import type { Quotas } from './quotas.ts';
import type { ListOptions } from './v1/list-cache.ts';
import type { Resolve } from './webhooks/webhook-sender.ts';
import type { Job } from './writer/background.ts';
import type { Writer } from './writer/writer.ts';

export interface AppOptions {
  readonly deployment: DeploymentName;
  readonly db: Database;
  readonly writer: Writer;
  /** Seals what clients hold for us; the same on every replica. */
  readonly secret: string;
  /** A key that was known in advance, beside those that are made here. */
  readonly knownKey?: string | undefined;
  readonly log: Logger;
  readonly droppedLines?: () => number;
  readonly logAddresses?: boolean;
  readonly lists: ListOptions;
  readonly servers: Servers;
  /** Requests a store may make in a minute; undefined for no limit. */
  readonly rateLimit?: number | undefined;
  /** Changes to the defaults. Unless `newStores` is given, any number of stores may be opened. */
  readonly quotas?: Partial<Quotas> | undefined;
  readonly openMetrics?: boolean;
  /** Makes the text of all workers' metrics, where there are several. */
  readonly sharedMetrics?: MetricsOptions['shared'];
  /** The public address, where it is not the one that is listened on. */
  readonly baseUrl?: string | undefined;
  readonly trustProxy?: boolean;
  readonly accounts?: AccountOptions;
  readonly connections?: ConnectionOptions;
  readonly mostChanges?: number;
  /** The folder of the built console, if not where its build leaves it. */
  readonly consoleFolder?: string;
  readonly streams?: Partial<StreamLimits>;
  readonly webhooks?: {
    /** Events may also be sent to addresses that are not public. */
    readonly allowPrivate?: boolean;
    readonly resolve?: Resolve;
    readonly rest?: number;
  };
  /** Keeps the last requests of each store for its owner; written down that often. */
  readonly inspector?: boolean | { readonly rest: number };
  /** Further jobs, such as backups. */
  readonly jobs?: readonly Job[];
  readonly now?: () => number;
}
