import about from '../package.json' with { type: 'json' };
import type { openJobs } from './app-jobs.ts';
import type { AppOptions } from './app-options.ts';
import type { Job } from './background.ts';
import type { Pool } from './database/engine.ts';
import type { EventHub } from './events/event-hub.ts';
import type { Measure, Measures } from './http/observe/metrics.ts';
import type { Connections } from './http/server/connections.ts';
import { countStores } from './stores/find-store.ts';
import type { ListCache } from './v1/list-cache.ts';
import { countWaiting } from './webhooks/delivery.ts';
import type { Writer } from './writer/writer.ts';

interface Measured {
  readonly options: AppOptions;
  readonly writer: Writer;
  readonly jobs: ReturnType<typeof openJobs>;
  readonly connections: Connections;
  readonly hub: EventHub;
  readonly lists: ListCache;
  readonly now: () => number;
}

/** No label has a value that a client makes up. */
export function appMeasures({ options, writer, jobs, connections, hub, lists, now }: Measured): Measures {
  const { db } = options;
  const { tried } = jobs.webhooks.deliveries;
  const pools = Object.entries({ ...db.pools, ...(writer.load?.pool && { write: writer.load.pool }) });
  const ofPools = (help: string, count: (pool: Pool) => number) =>
    gauge(help, () => pools.map(([name, pool]) => [name, count(pool)] as const), { label: 'pool' });
  return {
    petstore_build_info: gauge('1, with the version that runs.', () => [[about.version, 1]], {
      aggregator: 'max',
      label: 'version',
    }),
    petstore_stores: gauge('Stores in the database.', () => countStores(db), { aggregator: 'max' }),
    petstore_requests_in_flight: gauge(
      'Requests that are being answered, streams included.',
      () => connections.count().underWay,
    ),
    petstore_connections_open: gauge('Connections that are open.', () => connections.count().open),
    petstore_connections_refused_total: counter(
      'Connections beyond the limits.',
      () => connections.count().refused,
    ),
    petstore_event_streams_open: gauge('Streams of events that are open.', () => hub.streams.size),
    petstore_changes_waiting: gauge(
      'Changes that wait for their turn or are being made.',
      () => writer.load?.waiting ?? 0,
    ),
    petstore_database_connections_in_use: ofPools(
      'Connections to the database that are in use.',
      (pool) => pool.totalCount - pool.idleCount,
    ),
    petstore_database_connections_wanted: ofPools(
      'Requests that wait for a connection to the database.',
      // One that an idle connection is about to take up waits for nobody.
      (pool) => Math.max(0, pool.waitingCount - pool.idleCount),
    ),
    petstore_list_memory_bytes: gauge('What lists in memory hold.', () => lists.bytes),
    petstore_list_memory_limit_bytes: gauge('What they may hold.', () => options.lists.budget),
    petstore_webhook_deliveries_waiting: gauge(
      'Deliveries to be tried, or tried again; at most 10,000 are counted.',
      async () => (await countWaiting(db)).count,
      { aggregator: 'max' },
    ),
    petstore_webhook_oldest_delivery_seconds: gauge(
      'Age of the oldest of them.',
      async () => {
        const { oldest } = await countWaiting(db);
        return oldest === undefined ? 0 : (now() - oldest) / 1000;
      },
      { aggregator: 'max' },
    ),
    petstore_webhook_attempts_total: counter(
      'Tries to deliver an event: delivered, to be tried again (failed), or given up.',
      () => Object.entries({ delivered: tried.delivered, failed: tried.pending, given_up: tried.failed }),
      { label: 'outcome' },
    ),
    petstore_idempotency_keys_pruned_total: counter(
      'Idempotency keys that were forgotten.',
      jobs.answersPruned,
    ),
    petstore_background_failures_total: counter(
      'Pieces of work beside requests that failed.',
      () => jobs.failures,
      { label: 'work' },
    ),
    petstore_log_lines_dropped_total: counter(
      'Lines of the log that could not be written.',
      options.droppedLines ?? (() => 0),
    ),
    ...outcomeOf('backup', 'copy of the database', jobs.all),
    ...outcomeOf('check', 'check of the database', jobs.all),
  };
}

type More = Pick<Measure, 'label' | 'aggregator'>;

function gauge(help: string, read: Measure['read'], more?: More): Measure {
  return { type: 'gauge', help, read, ...more };
}

function counter(help: string, read: Measure['read'], more?: More): Measure {
  return { type: 'counter', help, read, ...more };
}

function outcomeOf(name: string, what: string, jobs: readonly Job[]): Measures {
  const last = () => jobs.find((job) => job.name === name)?.last?.();
  const made = () => last() && Number(last()?.at) / 1000;
  const success = () => last() && Number(last()?.isGood);
  return {
    [`petstore_last_${name}_timestamp_seconds`]: gauge(`When the last ${what} was made.`, made, {
      aggregator: 'max',
    }),
    [`petstore_last_${name}_success`]: gauge(`1 if the last ${what} went well.`, success, {
      aggregator: 'min',
    }),
  };
}
