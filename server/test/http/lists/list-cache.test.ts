import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { query } from '../../../src/database/query.ts';
import type { ListAtRevision } from '../../../src/http/lists/list-at-revision.ts';
import { ListCache } from '../../../src/http/lists/list-cache.ts';
import { writeOrder } from '../../../src/http/v1/write.ts';
import { orderListPage, ordersChangedSince } from '../../../src/orders/order-list.ts';
import { tries } from '../../support/effort.ts';
import { engines, sqlite } from '../../support/engines.ts';
import { insertOrders } from '../../support/orders.ts';
import { startService, type TestService, type TestStore, useService } from '../../support/service.ts';
import { clientOf } from '../../v2/support.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const source = { page: orderListPage, changedSince: ordersChangedSince, write: writeOrder };

async function textOf(list: ListAtRevision): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const { bytes } of list.segments()) {
    // What is held takes no more memory than it is counted as.
    expect(bytes.buffer.byteLength).toBe(bytes.length);
    pieces.push(bytes);
  }
  await list.release?.();
  const text = `[${Buffer.concat(pieces).toString().slice(1)}]`;
  if (list.length !== undefined) expect(list.length).toBe(Buffer.byteLength(text));
  return text;
}

async function expectedList({ database }: TestService, { storeId }: TestStore): Promise<string> {
  const rows = await database.rows(`SELECT * FROM orders WHERE store_id = ${storeId} ORDER BY id`);
  const shown = rows.map((row) => writeOrder(row as unknown as Parameters<typeof writeOrder>[0]));
  return `[${shown.filter((text) => text !== undefined).join(',')}]`;
}

async function revisionOf({ database }: TestService, { storeId }: TestStore): Promise<bigint> {
  return (await database.rows(`SELECT revision FROM stores WHERE id = ${storeId}`))[0]?.revision as bigint;
}

const steps = fc.array(
  fc.record({
    store: fc.nat({ max: 2 }),
    action: fc.constantFrom('list', 'cancel', 'ship', 'insert'),
    pick: fc.nat({ max: 60 }),
  }),
  { minLength: 10, maxLength: 40 },
);

describe.each(engines)('the lists in memory on $name', (engine) => {
  const service = useService(engine);

  it.each([
    { segmentSize: 1, budget: 0 },
    { segmentSize: 1, budget: 5_000 },
    { segmentSize: 2, budget: 1_000_000 },
    { segmentSize: 7, budget: 4_500 },
    { segmentSize: 40, budget: 1_000_000 },
    { segmentSize: 512, budget: 0 },
    { segmentSize: 512, budget: 1_000_000 },
  ])('are always what the database holds: $segmentSize rows a segment, $budget bytes', async (options) => {
    const { deployment, database, openStore } = service();
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        const cache = new ListCache(deployment.db, source, options);
        const stores = [await openStore(), await openStore(), await openStore()];
        let inserted = 100n;
        for (const { store: index, action, pick } of steps) {
          const store = stores[index] as TestStore;
          const change = { storeId: store.storeId, orderId: BigInt(pick), at: BigInt(Date.now()) };
          if (action === 'insert') await insertOrders(database, store, [inserted++, inserted++]);
          if (action === 'cancel') await deployment.writer.apply('cancelOrder', change).catch(() => {});
          if (action === 'ship') await deployment.writer.apply('shipOrder', change).catch(() => {});
          const revision = await revisionOf(service(), store);
          const list = await cache.get(store.storeId, revision);
          expect(await textOf(list)).toBe(await expectedList(service(), store));
          expect(list.revision).toBeGreaterThanOrEqual(revision);
        }
      }),
      tries(2),
    );
  });

  it('keep to their budget, save for the list that was used last', async () => {
    const { deployment, openStore } = service();
    const cache = new ListCache(deployment.db, source, { segmentSize: 512, budget: 9_000 });
    for (let i = 0; i < 6; i++) {
      const { storeId } = await openStore();
      await cache.get(storeId, 1n);
      expect(cache.bytes).toBeLessThanOrEqual(9_000);
    }
    expect(cache.bytes).toBeGreaterThan(4_500);
    const tiny = new ListCache(deployment.db, source, { segmentSize: 512, budget: 1 });
    for (let i = 0; i < 3; i++) {
      await tiny.get((await openStore()).storeId, 1n);
      expect(tiny.bytes).toBeLessThan(4_500);
    }
  });

  it('catch up after more changes than are worth patching one by one', async () => {
    const { deployment, database, openStore } = service();
    const store = await openStore();
    const cache = new ListCache(deployment.db, source, { segmentSize: 100, budget: 10_000_000 });
    await textOf(await cache.get(store.storeId, 1n));
    await insertOrders(
      database,
      store,
      Array.from({ length: 5_500 }, (_, i) => BigInt(i + 100)),
    );
    const list = await cache.get(store.storeId, await revisionOf(service(), store));
    expect(await textOf(list)).toBe(await expectedList(service(), store));
  });

  it('asked for at once by many, while the store changes, never go back', async () => {
    const { deployment, openStore } = service();
    const store = await openStore();
    const cache = new ListCache(deployment.db, source, { segmentSize: 4, budget: 1_000_000 });
    const { storeId } = store;
    const changes = [2n, 4n, 6n, 8n, 10n, 12n, 14n, 16n, 18n, 20n].map(async (orderId) => {
      await deployment.writer.apply('cancelOrder', { storeId, orderId, at: BigInt(Date.now()) });
      const { text } = await listed();
      expect(text).not.toContain(`{"id":${orderId},`);
    });
    async function listed() {
      const [row] = await deployment.db.all(revisionById, { storeId });
      const list = await cache.get(storeId, row?.revision as bigint);
      return { text: await textOf(list), revision: list.revision };
    }
    const readers = Array.from({ length: 10 }, async () => {
      let last = 0n;
      for (let i = 0; i < 20; i++) {
        const { revision } = await listed();
        expect(revision).toBeGreaterThanOrEqual(last);
        last = revision;
      }
    });
    await Promise.all([...changes, ...readers]);
  });
});

it('of a store that is replaced again and again, only the newest list is held', async () => {
  await using service = await startService(sqlite, { deployment: 'staging' });
  const store = await service.openStore();
  const client = clientOf(service, store);
  const body = { dataSet: 'large', orders: 2000 };
  const held = async (resets: number) => {
    for (let i = 0; i < resets; i++) {
      await client('POST /v2/sandbox/reset', { body });
      await client('GET /v1/store/orders');
    }
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };
  const before = await held(3);
  await held(30);
  // Each list has a quarter of a megabyte. Memory that was collected is given back a little later.
  await vi.waitFor(async () => expect((await held(0)) - before).toBeLessThan(2 * 1024 * 1024), 10_000);
});

const revisionById = query((db, p: { storeId: bigint }) =>
  db.selectFrom('stores').select('revision').where('id', '=', p.storeId),
);
