import about from '../../package.json' with { type: 'json' };
import type { Job } from '../concurrency/background-jobs.ts';
import type { Database, PoolUsage } from '../database/engine.ts';
import type { EventHub } from '../events/event-hub.ts';
import type { ResponseCache } from '../http/content/response-cache.ts';
import type { Measures } from '../http/observe/metrics.ts';
import type { Connections } from '../http/server/connections.ts';
import type { InFlightBytes } from '../http/server/in-flight-bytes.ts';
import { countStores } from '../stores/find-store.ts';
import type { ListOptions } from '../v1/list-cache.ts';
import { pendingDeliveries } from '../webhooks/delivery.ts';
import type { Writer } from '../writer/writer.ts';
import type { createJobs } from './jobs.ts';

interface Measured {
  readonly options: { readonly db: Database; readonly lists: ListOptions; droppedLines?: () => number };
  readonly writer: Writer;
  readonly jobs: ReturnType<typeof createJobs>;
  readonly connections: Connections;
  readonly inFlight: InFlightBytes;
  readonly hub: EventHub;
  readonly responses: ResponseCache;
  readonly now: () => number;
}

/** Labels have no values that clients choose. */
export function appMeasures(measured: Measured): Measures {
  const { options, writer, jobs, connections, inFlight, hub, responses, now } = measured;
  const { db } = options;
  const { attemptCounts, givenUp } = jobs.webhooks.deliveries;
  const unfinishedDeliveries = async () => (await db.all(pendingDeliveries, {}))[0];
  const pools = Object.entries({ ...db.pools, ...(writer.load?.pool && { write: writer.load.pool }) });
  const perPool = (count: keyof PoolUsage) => () => pools.map(([name, use]) => [name, use()[count]] as const);
  return {
    petstore_build_info: {
      help: '1, labeled with the running version.',
      read: () => [[about.version, 1]],
      aggregator: 'max',
      label: 'version',
    },
    petstore_stores: { help: 'Stores in the database.', read: () => countStores(db), aggregator: 'max' },
    petstore_requests_in_flight: {
      help: 'Requests in progress, including streams.',
      read: () => connections.count().active,
    },
    petstore_connections_open: { help: 'Open connections.', read: () => connections.count().open },
    petstore_connections_refused_total: {
      help: 'Connections rejected because a limit was reached.',
      read: () => connections.count().rejected,
    },
    petstore_bytes_in_flight: {
      help: 'Bytes of response bodies that clients have not read yet, and of long request bodies being received.',
      read: () => inFlight.counts.bytes,
    },
    petstore_bytes_in_flight_exceeded_total: {
      help: 'Requests rejected and slow connections closed because of the limits of bytes in flight.',
      read: () => Object.entries({ rejected: inFlight.counts.rejected, closed: inFlight.counts.closed }),
      label: 'outcome',
    },
    petstore_event_streams_open: { help: 'Open event streams.', read: () => hub.streams.size },
    petstore_changes_waiting: {
      help: 'Changes that are queued or in progress.',
      read: () => writer.load?.pending ?? 0,
    },
    petstore_database_connections_in_use: {
      help: 'Database connections in use.',
      read: perPool('taken'),
      label: 'pool',
    },
    petstore_database_connections_wanted: {
      help: 'Callers waiting for a database connection.',
      read: perPool('waiting'),
      label: 'pool',
    },
    petstore_list_memory_bytes: {
      help: 'Memory used by cached responses.',
      read: () => responses.calculatedSize,
    },
    petstore_list_memory_limit_bytes: {
      help: 'Memory limit of cached responses.',
      read: () => options.lists.budget,
    },
    petstore_webhook_deliveries_waiting: {
      help: 'Unfinished deliveries, counted up to 10,000.',
      read: async () => Number((await unfinishedDeliveries())?.count ?? 0n),
      aggregator: 'max',
    },
    petstore_webhook_oldest_delivery_seconds: {
      help: 'Age of the oldest unfinished delivery.',
      async read() {
        const { oldest } = (await unfinishedDeliveries()) ?? {};
        return oldest ? (now() - Number(oldest)) / 1000 : 0;
      },
      aggregator: 'max',
    },
    petstore_webhook_attempts_total: {
      help: 'Delivery attempts by outcome: delivered, failed (to be retried), or given up.',
      read: () =>
        Object.entries({
          delivered: attemptCounts.delivered,
          failed: attemptCounts.pending,
          given_up: attemptCounts.failed,
        }),
      label: 'outcome',
    },
    petstore_webhook_events_given_up_total: {
      help: 'Abandoned events: all retries failed, the receiver returned 410, the delivery was 7 days old, or the log had deleted the event.',
      read: () => Object.entries(givenUp),
      label: 'reason',
    },
    petstore_idempotency_keys_pruned_total: {
      help: 'Expired idempotency keys deleted.',
      read: jobs.responsesPruned,
    },
    petstore_background_failures_total: {
      help: 'Failed steps of background jobs.',
      read: () => jobs.failures,
      label: 'work',
    },
    petstore_log_lines_dropped_total: {
      help: 'Log lines that could not be written.',
      read: options.droppedLines ?? (() => 0),
    },
    ...outcomeOf('backup', jobs.all),
    ...outcomeOf('check', jobs.all),
  };
}

function outcomeOf(name: string, jobs: readonly Job[]): Measures {
  const last = () => jobs.find((job) => job.name === name)?.lastOutcome?.();
  return {
    [`petstore_last_${name}_timestamp_seconds`]: {
      help: `Time of the last database ${name}.`,
      read: () => last() && Number(last()?.at) / 1000,
      aggregator: 'max',
    },
    [`petstore_last_${name}_success`]: {
      help: `1 if the last database ${name} succeeded.`,
      read: () => last() && Number(last()?.succeeded),
      aggregator: 'min',
    },
  };
}
