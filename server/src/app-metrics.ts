import about from '../package.json' with { type: 'json' };
import type { openJobs } from './app-jobs.ts';
import type { AppOptions } from './app-options.ts';
import type { Pool } from './database/engine.ts';
import type { EventHub } from './events/event-hub.ts';
import type { Measure, Measures } from './http/observe/metrics.ts';
import type { Connections } from './http/server/connections.ts';
import { countStores } from './stores/count-stores.ts';
import type { ListCache } from './v1/list-cache.ts';
import { countWaiting } from './webhooks/delivery.ts';
import type { Job } from './writer/background.ts';
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

/** All that is measured of a deployment beside its requests and commits. No label has a value that a client makes up. */
export function appMeasures({ options, writer, jobs, connections, hub, lists, now }: Measured): Measures {
  const { db } = options;
  const { tried } = jobs.webhooks.deliveries;
  const pools = Object.entries({ ...db.pools, ...(writer.load?.pool && { write: writer.load.pool }) });
  const ofPools = (count: (pool: Pool) => number) => () =>
    pools.map(([name, pool]) => [name, count(pool)] as const);
  return {
    petstore_build_info: {
      ...gauge('1, with the version that runs.', () => [[about.version, 1]], 'max'),
      label: 'version',
    },
    petstore_stores: gauge('Stores in the database.', () => countStores(db), 'max'),
    petstore_requests_in_flight: gauge(
      'Requests that are being answered, streams included.',
      () => connections.count().underWay,
    ),
    petstore_connections_open: gauge('Connections that are open.', () => connections.count().open),
    petstore_connections_refused_total: counter(
      'Connections beyond the limits.',
      () => connections.count().refused,
    ),
    petstore_event_streams_open: gauge('Streams of events that are open.', () => hub.watchers),
    petstore_changes_waiting: gauge(
      'Changes that wait for their turn or are being made.',
      () => writer.load?.waiting ?? 0,
    ),
    petstore_database_connections_in_use: {
      ...gauge(
        'Connections to the database that are in use.',
        ofPools((pool) => pool.totalCount - pool.idleCount),
      ),
      label: 'pool',
    },
    petstore_database_connections_wanted: {
      ...gauge(
        'Requests that wait for a connection to the database.',
        ofPools((pool) => pool.waitingCount),
      ),
      label: 'pool',
    },
    petstore_list_memory_bytes: gauge('What lists in memory hold.', () => lists.bytes),
    petstore_list_memory_limit_bytes: gauge('What they may hold.', () => options.lists.budget),
    petstore_webhook_deliveries_waiting: gauge(
      'Deliveries to be tried, or tried again; at most 10,000 are counted.',
      async () => (await countWaiting(db)).count,
      'max',
    ),
    petstore_webhook_oldest_delivery_seconds: gauge(
      'Age of the oldest of them.',
      async () => {
        const { oldest } = await countWaiting(db);
        return oldest === undefined ? 0 : (now() - oldest) / 1000;
      },
      'max',
    ),
    petstore_webhook_attempts_total: {
      ...counter('Tries to deliver an event: delivered, to be tried again (failed), or given up.', () => [
        ['delivered', tried.delivered],
        ['failed', tried.pending],
        ['given_up', tried.failed],
      ]),
      label: 'outcome',
    },
    petstore_idempotency_keys_pruned_total: counter(
      'Idempotency keys that were forgotten.',
      jobs.answersPruned,
    ),
    petstore_background_failures_total: {
      ...counter('Pieces of work beside requests that failed.', () => jobs.failures),
      label: 'work',
    },
    petstore_log_lines_dropped_total: counter(
      'Lines of the log that could not be written.',
      options.droppedLines ?? (() => 0),
    ),
    ...outcomeOf('backup', 'copy of the database', jobs.all),
    ...outcomeOf('check', 'check of the database', jobs.all),
  };
}

function gauge(help: string, read: Measure['read'], aggregator?: 'max' | 'min'): Measure {
  return { type: 'gauge', help, read, ...(aggregator && { aggregator }) };
}

function counter(help: string, read: Measure['read']): Measure {
  return { type: 'counter', help, read };
}

/** Shown where the job runs, once it did something. */
function outcomeOf(name: string, what: string, jobs: readonly Job[]): Measures {
  const last = () => jobs.find((job) => job.name === name)?.last?.();
  const inSeconds = () => {
    const done = last();
    return done && done.at / 1000;
  };
  const success = () => {
    const done = last();
    return done && Number(done.isGood);
  };
  return {
    [`petstore_last_${name}_timestamp_seconds`]: gauge(`When the last ${what} was made.`, inSeconds, 'max'),
    [`petstore_last_${name}_success`]: gauge(`1 if the last ${what} went well.`, success, 'min'),
  };
}
