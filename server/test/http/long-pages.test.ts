import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/database/engine.ts';
import { type Engine, engines, sqlite } from '../support/engines.ts';
import { readEvents } from '../support/event-reader.ts';
import { insertOrders } from '../support/orders.ts';
import { startService, type TestService, type TestStore } from '../support/service.ts';
import { clientOf, type Page } from '../support/v2.ts';

const MANY = Array.from({ length: 1_500 }, (_, i) => BigInt(i + 100));

/** A read of rows for pages: how many it found, and in which event-loop tick it began. */
interface Read {
  readonly rows: number;
  readonly tick: number;
}

/** Records reads for pages requested with the largest limit. */
function watchReads() {
  const reads: Read[] = [];
  let tick = 0;
  let [before, begun] = [Promise.resolve(), 0];
  const next = () => {
    tick++;
    immediate = setImmediate(next);
  };
  let immediate = setImmediate(next);
  return {
    reads,
    /** Reads that have begun since. */
    get begun() {
      return begun;
    },
    hold(until: Promise<void>) {
      before = until;
      begun = 0;
    },
    wrap: (db: Database): Database => ({
      ...db,
      async all(query, params) {
        const { storeId, limit } = params as { storeId?: bigint; limit?: bigint };
        if (storeId === undefined || limit === undefined) return db.all(query, params);
        const began = tick;
        begun++;
        await before;
        const rows = await db.all(query, params);
        reads.push({ rows: rows.length, tick: began });
        return rows;
      },
    }),
    [Symbol.dispose]: () => clearImmediate(immediate),
  };
}

async function startWithManyOrders(engine: Engine, wrap: (db: Database) => Database) {
  const service = await startService(engine, { wrap });
  const store = await service.openStore();
  await insertOrders(service.database, store, MANY);
  return { service, store };
}

describe.each(engines)('long pages on $name', (engine) => {
  it('are read in slices and contain every row once', async () => {
    using watched = watchReads();
    const { service, store } = await startWithManyOrders(engine, watched.wrap);
    await using _ = service;
    const client = clientOf(service, store);
    const page = async (after: string | null) =>
      (await client(`GET /v2/store/events?limit=1000&after=${after}`)).json<Page<{ id: string }>>();
    const first = await page('0');
    const second = await page(first.nextCursor);
    const ids = [...first.data, ...second.data].map(({ id }) => id);
    expect(second.nextCursor).toBeNull();
    expect(ids).toHaveLength(MANY.length);
    expect(new Set(ids).size).toBe(MANY.length);
    // Others are served at least once in the middle of a page.
    expect(Math.max(...watched.reads.map(({ rows }) => rows))).toBeLessThanOrEqual(500);
  });
});

it('concurrent long pages are read one slice per event-loop tick', async () => {
  using watched = watchReads();
  const { service, store } = await startWithManyOrders(sqlite, watched.wrap);
  await using _ = service;
  const client = clientOf(service, store);
  for (const path of [
    '/v2/store/orders',
    '/v2/store/orders?shipDateFrom=2020-01-01T00:00:00Z',
    '/v2/store/events',
  ]) {
    watched.reads.length = 0;
    // Different pages, because the same one would be in the cache.
    const sendRequest = (_: unknown, i: number) =>
      client(`GET ${path}${path.includes('?') ? '&' : '?'}limit=${1000 - i}`);
    const responses = await Promise.all(Array.from({ length: 12 }, sendRequest));
    for (const [i, response] of responses.entries())
      expect(response.json<Page<unknown>>().data).toHaveLength(1000 - i);
    const ticks = watched.reads.map(({ tick }) => tick);
    expect(ticks.length).toBeGreaterThanOrEqual(12);
    expect(new Set(ticks).size, path).toBe(ticks.length);
  }
});

it('short pages of a burst are not all read in one event-loop tick', async () => {
  using watched = watchReads();
  const { service, store } = await startWithManyOrders(sqlite, watched.wrap);
  await using _ = service;
  const client = clientOf(service, store);
  const burst = () =>
    Promise.all(Array.from({ length: 100 }, () => client('GET /v2/store/events?limit=50&after=0')));
  // The requests of the second burst arrive together, on connections that are open already.
  await burst();
  watched.reads.length = 0;
  for (const { status } of await burst()) expect(status).toBe(200);
  expect(watched.reads).toHaveLength(100);
  const perTick = [...Map.groupBy(watched.reads, ({ tick }) => tick).values()].map(({ length }) => length);
  expect(Math.max(...perTick)).toBeLessThanOrEqual(2 * (8 + 1));
});

it('backlogs of concurrent event streams are read one batch per event-loop tick', async () => {
  using watched = watchReads();
  const { service, store } = await startWithManyOrders(sqlite, watched.wrap);
  await using _ = service;
  const page = (await clientOf(service, store)('GET /v2/store/events?limit=12')).json<Page<{ id: string }>>();
  watched.reads.length = 0;
  using readers = new DisposableStack();
  const open = async ({ id }: { id: string }) =>
    readers.use(await readEvents(service, { key: store.key, after: id }));
  const opened = await Promise.all(page.data.map(open));
  await Promise.all(opened.map((reader, i) => reader.waitForEvents(MANY.length - i - 1)));
  // Before a stream opens, it reads one event to check its position.
  const ticks = watched.reads.filter(({ rows }) => rows > 1).map(({ tick }) => tick);
  expect(ticks.length).toBeGreaterThanOrEqual(12);
  expect(new Set(ticks).size).toBe(ticks.length);
});

it('at most eight long pages of a store are read at a time; other stores do not wait', async () => {
  using watched = watchReads();
  const { service, store } = await startWithManyOrders(sqlite, watched.wrap);
  await using _ = service;
  const other = await service.openStore();
  const gate = Promise.withResolvers<void>();
  watched.hold(gate.promise);
  const responses = sendMany(service, store, 12);
  await expect.poll(() => watched.begun).toBe(8);
  watched.hold(Promise.resolve());
  expect((await clientOf(service, other)('GET /v2/store/events?limit=1000')).status).toBe(200);
  expect(watched.begun).toBe(1);
  gate.resolve();
  expect(await responses).toEqual(Array.from({ length: 12 }, () => 200));
});

async function sendMany(service: TestService, store: TestStore, count: number): Promise<number[]> {
  const client = clientOf(service, store);
  const responses = Array.from({ length: count }, () => client('GET /v2/store/orders?limit=1000'));
  return (await Promise.all(responses)).map(({ status }) => status);
}
