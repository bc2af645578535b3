import type { Logger } from 'pino';
import type { AccountOptions } from './accounts/console-context.ts';
import type { Job } from './background.ts';
import type { Database } from './database/engine.ts';
import type { DeploymentName } from './deployment.ts';
import type { StreamLimits } from './events/event-stream.ts';
import type { MetricsOptions } from './http/observe/metrics.ts';
import type { Servers } from './http/server/addresses.ts';
import type { ConnectionOptions } from './http/server/http-server.ts';
import type { Quotas } from './quotas.ts';
import type { ListOptions } from './v1/list-cache.ts';
import type { Resolve } from './webhooks/webhook-sender.ts';
import type { Writer } from './writer/writer.ts';

export interface AppOptions {
  readonly deployment: DeploymentName;
  readonly db: Database;
  readonly writer: Writer;
  /** Seals what clients hold for us; the same on every replica. */
  readonly secret: string;
  readonly knownKey?: string | undefined;
  readonly log: Logger;
  readonly droppedLines?: () => number;
  readonly logAddresses?: boolean;
  readonly lists: ListOptions;
  readonly servers: Servers;
  readonly rateLimit?: number | undefined;
  /** Changes to the defaults. Unless `newStores` is given, any number of stores may be opened. */
  readonly quotas?: Partial<Quotas> | undefined;
  readonly openMetrics?: boolean;
  readonly sharedMetrics?: MetricsOptions['shared'];
  /** The public address, where it is not the one that is listened on. */
  readonly baseUrl?: string | undefined;
  readonly trustProxy?: boolean;
  readonly accounts?: AccountOptions;
  readonly connections?: ConnectionOptions;
  readonly mostChanges?: number;
  readonly consoleFolder?: string;
  readonly streams?: Partial<StreamLimits>;
  readonly webhooks?: {
    readonly allowPrivate?: boolean;
    readonly resolve?: Resolve;
    readonly restMs?: number;
  };
  readonly inspector?: boolean | { readonly restMs: number };
  readonly jobs?: readonly Job[];
  readonly now?: () => number;
}
