import about from '../../package.json' with { type: 'json' };
import type { Job } from '../concurrency/background-jobs.ts';
import type { Database, Pool } from '../database/engine.ts';
import type { EventHub } from '../events/event-hub.ts';
import type { ResponseCache } from '../http/content/response-cache.ts';
import type { Measures } from '../http/observe/metrics.ts';
import type { Connections } from '../http/server/connections.ts';
import type { InFlightBytes } from '../http/server/in-flight-bytes.ts';
import { countStores } from '../stores/find-store.ts';
import type { ListOptions } from '../v1/list-cache.ts';
import { pendingDeliveries } from '../webhooks/delivery.ts';
import type { Writer } from '../writer/writer.ts';
import type { openJobs } from './jobs.ts';

interface Measured {
  readonly options: { readonly db: Database; readonly lists: ListOptions; droppedLines?: () => number };
  readonly writer: Writer;
  readonly jobs: ReturnType<typeof openJobs>;
  readonly connections: Connections;
  readonly inFlight: InFlightBytes;
  readonly hub: EventHub;
  readonly responses: ResponseCache;
  readonly now: () => number;
}

/** No label has a value that a client makes up. */
export function appMeasures({
  options,
  writer,
  jobs,
  connections,
  inFlight,
  hub,
  responses,
  now,
}: Measured): Measures {
  const { db } = options;
  const { tried, givenUp } = jobs.webhooks.deliveries;
  const deliveriesWaiting = async () => (await db.all(pendingDeliveries, {}))[0];
  const pools = Object.entries({ ...db.pools, ...(writer.load?.pool && { write: writer.load.pool }) });
  const ofPools = (what: keyof ReturnType<Pool>) => () =>
    pools.map(([name, count]) => [name, count()[what]] as const);
  return {
    petstore_build_info: {
      help: '1, with the version that runs.',
      read: () => [[about.version, 1]],
      aggregator: 'max',
      label: 'version',
    },
    petstore_stores: { help: 'Stores in the database.', read: () => countStores(db), aggregator: 'max' },
    petstore_requests_in_flight: {
      help: 'Requests that are being answered, streams included.',
      read: () => connections.count().active,
    },
    petstore_connections_open: { help: 'Connections that are open.', read: () => connections.count().open },
    petstore_connections_refused_total: {
      help: 'Connections beyond the limits.',
      read: () => connections.count().rejected,
    },
    petstore_bytes_in_flight: {
      help: 'Response bodies that clients have not read yet, and long request bodies that are arriving.',
      read: () => inFlight.counts.bytes,
    },
    petstore_bytes_in_flight_exceeded_total: {
      help: 'What was beyond the limits of bytes in flight: rejected, or a slow connection closed.',
      read: () => Object.entries({ rejected: inFlight.counts.rejected, closed: inFlight.counts.closed }),
      label: 'outcome',
    },
    petstore_event_streams_open: { help: 'Streams of events that are open.', read: () => hub.streams.size },
    petstore_changes_waiting: {
      help: 'Changes that wait for their turn or are being made.',
      read: () => writer.load?.waiting ?? 0,
    },
    petstore_database_connections_in_use: {
      help: 'Connections to the database that are in use.',
      read: ofPools('taken'),
      label: 'pool',
    },
    petstore_database_connections_wanted: {
      help: 'Requests that wait for a connection to the database.',
      read: ofPools('waiting'),
      label: 'pool',
    },
    petstore_list_memory_bytes: {
      help: 'What answers in memory hold.',
      read: () => responses.calculatedSize,
    },
    petstore_list_memory_limit_bytes: { help: 'What they may hold.', read: () => options.lists.budget },
    petstore_webhook_deliveries_waiting: {
      help: 'Deliveries to be tried, or tried again; at most 10,000 are counted.',
      read: async () => Number((await deliveriesWaiting())?.count ?? 0n),
      aggregator: 'max',
    },
    petstore_webhook_oldest_delivery_seconds: {
      help: 'Age of the oldest of them.',
      async read() {
        const { oldest } = (await deliveriesWaiting()) ?? {};
        return oldest ? (now() - Number(oldest)) / 1000 : 0;
      },
      aggregator: 'max',
    },
    petstore_webhook_attempts_total: {
      help: 'Tries to deliver an event: delivered, to be tried again (failed), or given up.',
      read: () =>
        Object.entries({ delivered: tried.delivered, failed: tried.pending, given_up: tried.failed }),
      label: 'outcome',
    },
    petstore_webhook_events_given_up_total: {
      help: 'Events that a webhook was not sent: all retries failed, 410, deliveries older than 7 days, or the limit of the log.',
      read: () => Object.entries(givenUp),
      label: 'reason',
    },
    petstore_idempotency_keys_pruned_total: {
      help: 'Idempotency keys that were forgotten.',
      read: jobs.responsesPruned,
    },
    petstore_background_failures_total: {
      help: 'Pieces of work beside requests that failed.',
      read: () => jobs.failures,
      label: 'work',
    },
    petstore_log_lines_dropped_total: {
      help: 'Lines of the log that could not be written.',
      read: options.droppedLines ?? (() => 0),
    },
    ...outcomeOf('backup', 'copy of the database', jobs.all),
    ...outcomeOf('check', 'check of the database', jobs.all),
  };
}

function outcomeOf(name: string, what: string, jobs: readonly Job[]): Measures {
  const last = () => jobs.find((job) => job.name === name)?.last?.();
  return {
    [`petstore_last_${name}_timestamp_seconds`]: {
      help: `When the last ${what} was made.`,
      read: () => last() && Number(last()?.at) / 1000,
      aggregator: 'max',
    },
    [`petstore_last_${name}_success`]: {
      help: `1 if the last ${what} went well.`,
      read: () => last() && Number(last()?.isGood),
      aggregator: 'min',
    },
  };
}
