import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/database/engine.ts';
import type { Connection } from '../../../src/database/query.ts';
import { anyEngine, engines } from '../../support/engines.ts';
import { insertOrders, listOrders } from '../../support/orders.ts';
import { readMetrics } from '../../support/read-metrics.ts';
import { startService, type TestService } from '../../support/service.ts';
import { clientOf } from '../../support/v2.ts';
import { withTimeouts } from '../../support/with-timeouts.ts';

const MEGABYTE = 1024 * 1024;
const many = Array.from({ length: 3_000 }, (_, i) => BigInt(i + 100));

/** Counts the rows of each read, in snapshots and outside. */
function countingRows(rows: number[]) {
  const counted = (connection: Connection): Connection => ({
    async all(query, params) {
      const found = await connection.all(query, params);
      rows.push(found.length);
      return found;
    },
  });
  return (db: Database): Database => ({
    ...db,
    ...counted(db),
    async snapshot() {
      const snapshot = await db.snapshot();
      return { ...counted(snapshot), [Symbol.asyncDispose]: () => snapshot[Symbol.asyncDispose]() };
    },
  });
}

function revisionOf(etag: unknown): bigint {
  return BigInt(/-(\d+)"$/.exec(String(etag))?.[1] ?? -1);
}

describe.each(engines)('lists on $name', (engine) => {
  it.each([
    { how: 'cached', lists: { budget: MEGABYTE } },
    { how: 'streamed', lists: { maxBytes: 0, budget: MEGABYTE } },
  ])('that are $how read one slice of rows at a time', async ({ lists }) => {
    const rows: number[] = [];
    await using service = await startService(engine, { lists, wrap: countingRows(rows) });
    const store = await service.openStore();
    await insertOrders(service.database, store, many);
    expect(await listOrders(service, store)).toHaveLength(3_040);
    expect(Math.max(...rows)).toBe(500);
    expect(rows.filter((count) => count === 500).length).toBeGreaterThanOrEqual(6);
  });

  it('with a change after their request have its revision', async () => {
    let change = async () => {};
    const wrap = (db: Database): Database => ({
      ...db,
      async all(query, params) {
        if (/FROM "orders"/.test(query.statementFor(engine.name).sql)) await change();
        return db.all(query, params);
      },
    });
    await using service = await startService(engine, { lists: { budget: MEGABYTE }, wrap });
    const { key } = await service.openStore();
    change = async () => {
      change = async () => {};
      await service.request('DELETE /v1/store/orders/2', { key });
    };
    const { headers, text } = await service.request('GET /v1/store/orders', { key });
    expect(text).not.toContain('{"id":2,');
    const known = { 'if-none-match': String(headers.etag) };
    expect((await service.request('GET /v1/store/orders', { key, headers: known })).status).toBe(304);
  });

  it('requested concurrently while the store changes never return an older state', async () => {
    await using service = await startService(engine, { lists: { rowsPerTick: 4, budget: MEGABYTE } });
    const { key } = await service.openStore();
    const listed = () => service.request('GET /v1/store/orders', { key });
    const changes = [2, 4, 6, 8, 10, 12, 14, 16, 18, 20].map(async (id) => {
      expect((await service.request(`DELETE /v1/store/orders/${id}`, { key })).status).toBeLessThan(500);
      expect((await listed()).text).not.toContain(`{"id":${id},`);
    });
    const readers = Array.from({ length: 10 }, async () => {
      let last = 0n;
      for (let i = 0; i < 20; i++) {
        const revision = revisionOf((await listed()).headers.etag);
        expect(revision).toBeGreaterThanOrEqual(last);
        last = revision;
      }
    });
    await Promise.all([...changes, ...readers]);
  });
});

describe.each(anyEngine)('the list cache on $name', (engine) => {
  it('shares one read among concurrent requests, and reads again only after a change', async () => {
    const rows: number[] = [];
    await using service = await startService(engine, {
      lists: { budget: MEGABYTE },
      wrap: countingRows(rows),
    });
    const store = await service.openStore();
    await insertOrders(service.database, store, many);
    const slices = async (count: number) => {
      rows.length = 0;
      await Promise.all(Array.from({ length: count }, () => listOrders(service, store)));
      return rows.filter((count) => count === 500).length;
    };
    const once = await slices(1);
    expect(once).toBeGreaterThan(0);
    expect(await slices(20)).toBe(0);
    await service.request('DELETE /v1/store/orders/2', { key: store.key });
    expect(await slices(20)).toBe(once);
  });

  it('stays within its budget, including compressed lists', async () => {
    await using service = await startService(engine, { lists: { budget: MEGABYTE } });
    const heldBytes = async () =>
      (await readMetrics(service.request)).get('petstore_list_memory_bytes') as number;
    for (let i = 0; i < 10; i++) {
      const store = await service.openStore();
      await insertOrders(service.database, store, many);
      await listOrders(service, store);
      for (const encoding of ['gzip', 'br'])
        await service.request('GET /v1/store/orders', {
          key: store.key,
          headers: { 'accept-encoding': encoding },
        });
      expect(await heldBytes()).toBeLessThanOrEqual(MEGABYTE);
    }
    // Ten of these lists have three megabytes.
    expect(await heldBytes()).toBeGreaterThan(MEGABYTE / 2);
  });
});

describe.each(anyEngine)('streams of large lists on $name', (engine) => {
  it('are limited per store; a further one waits, and other stores do not', async () => {
    await using service = await startService(engine, {
      deployment: 'staging',
      lists: { rowsPerTick: 500, maxBytes: 0, budget: 0 },
    });
    const [store, other] = [await service.openStore(), await service.openStore()];
    // A stream with fewer orders would be read to its end ahead of the slow reader, and free its place.
    const ids = Array.from({ length: 12_000 }, (_, i) => BigInt(i + 100));
    await insertOrders(service.database, store, ids);
    const slow = await Promise.all([1, 2, 3, 4].map(() => slowReader(service, store.key)));
    let responded = false;
    const waiting = listOrders(service, store).then((orders) => {
      responded = true;
      return orders;
    });
    expect(await listOrders(service, other)).toHaveLength(40);
    expect(await clientOf(service, store)('GET /v2/store/orders')).toMatchObject({ status: 200 });
    expect(responded).toBe(false);
    slow[0]?.abort();
    expect(await waiting).toHaveLength(40 + ids.length);
    for (const reader of slow) reader.abort();
  });

  it('that are read slowly make way for a store with fewer, oldest first', async () => {
    using _ = withTimeouts({ acquireTimeoutMs: 1_000 });
    await using service = await startService(engine, {
      deployment: 'staging',
      lists: { rowsPerTick: 500, maxBytes: 0, budget: 0 },
    });
    const [first, second, third] = [
      await service.openStore(),
      await service.openStore(),
      await service.openStore(),
    ];
    const ids = Array.from({ length: 12_000 }, (_, i) => BigInt(i + 100));
    for (const store of [first, second, third]) await insertOrders(service.database, store, ids);
    const slow = [];
    for (const { key } of [first, first, first, first, second, second])
      slow.push(await slowReader(service, key));
    expect(await listOrders(service, third)).toHaveLength(40 + ids.length);
    const aborted = () => service.log.filter((line) => line.includes('response aborted')).length;
    // The fault notices it when it sends its next part.
    await expect.poll(aborted).toBe(1);
    expect(service.log.join('')).toContain(
      'The list was closed for another store, which was waiting to read one.',
    );
    for (const reader of slow) reader.abort();
  });
});

/** Reads a list too slowly to finish before the test ends. An unreferenced response would be cancelled. */
async function slowReader({ origin }: TestService, key: string) {
  const reader = new AbortController();
  const slow = { prefer: 'fault=slow; ms=30000', 'accept-encoding': 'identity' };
  const headers = { authorization: `Bearer ${key}`, ...slow };
  const response = await fetch(`${origin}/v1/store/orders`, { headers, signal: reader.signal });
  expect(response.status).toBe(200);
  return { response, abort: () => reader.abort() };
}
