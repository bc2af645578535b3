import { describe, expect, it } from 'vitest';
import { shipOrder } from '../../src/orders/change-status.ts';
import { eraseClosedStores } from '../../src/stores/end-stores.ts';
import type { Writer } from '../../src/writer/writer.ts';
import { runJob } from '../support/jobs.ts';
import { insertOrders, listOrders, orderIds } from '../support/orders.ts';
import { enginesAndLists, startService, useService } from '../support/service.ts';

describe.each(enginesAndLists)('races on $engine.name, lists $lists.how', ({ engine, lists }) => {
  // By the clock of the services, no store that a test closes is to be erased yet: no job interferes.
  const options = { lists, now: () => 0 };
  const service = useService(engine, options);

  it('100 parallel cancels of one order: exactly one 204, the others 404', async () => {
    const { request, openStore, database } = service();
    const { key, storeId } = await openStore();
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => request('DELETE /v1/store/orders/2', { key })),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([204, ...Array<number>(99).fill(404)]);
    const [pet] = await database.rows(`SELECT stock FROM pets WHERE store_id = ${storeId} AND id = 11`);
    expect(pet?.stock).toBe(9n);
  });

  it('a cancel racing with a ship: exactly one wins, every time', async () => {
    const { request, openStore, database, deployment } = service();
    const store = await openStore();
    const ids = Array.from({ length: 120 }, (_, i) => BigInt(i + 100));
    await insertOrders(database, store, ids);
    const outcomes = await Promise.all(
      ids.map(async (orderId) => {
        const ship = () =>
          deployment.writer
            .apply(shipOrder, { storeId: store.storeId, orderId, at: BigInt(Date.now()) })
            .then(
              () => 'shipped',
              ({ code }) => code,
            );
        const cancel = () =>
          request(`DELETE /v1/store/orders/${orderId}`, { key: store.key }).then(({ status }) => status);
        const both = orderId % 2n === 0n ? [ship(), cancel()] : [cancel(), ship()];
        return { orderId, outcome: (await Promise.all(both)).sort() };
      }),
    );
    const listed = new Set(await orderIds(service(), store));
    for (const { orderId, outcome } of outcomes) {
      expect([
        [204, 'invalid_transition'],
        [409, 'shipped'],
      ]).toContainEqual(outcome);
      expect(listed.has(orderId)).toBe(outcome[1] === 'shipped');
    }
  });

  it('a cancel racing with a ship through two services on one database: exactly one wins', async () => {
    const here = service();
    await using there = await startService(engine, { ...options, database: here.database });
    const store = await here.openStore();
    const ids = Array.from({ length: 60 }, (_, i) => BigInt(i + 100));
    await insertOrders(here.database, store, ids);
    const outcomes = await Promise.all(
      ids.map(async (orderId) => {
        const [cancelled, shipped] = await Promise.all([
          here.request(`DELETE /v1/store/orders/${orderId}`, { key: store.key }),
          there.deployment.writer
            .apply(shipOrder, { storeId: store.storeId, orderId, at: BigInt(Date.now()) })
            .then(
              () => true,
              () => false,
            ),
        ]);
        return [cancelled.status, shipped];
      }),
    );
    for (const outcome of outcomes) {
      expect([
        [204, false],
        [409, true],
      ]).toContainEqual(outcome);
    }
    expect(await listOrders(here, store)).toEqual(await listOrders(there, store));
  });

  it('a large store that two services erase at the same time is erased, and neither fails', async () => {
    const here = service();
    await using there = await startService(engine, { ...options, database: here.database });
    const store = await here.openStore();
    const { storeId } = store;
    const ids = Array.from({ length: 3_500 }, (_, i) => BigInt(i + 100));
    await insertOrders(here.database, store, ids);
    await here.database.exec(
      `DELETE FROM changes WHERE store_id = ${storeId}; UPDATE stores SET closed_at = 1 WHERE id = ${storeId}`,
    );
    const held = await here.database.holdWriters();
    const erasing = [here, there].map(({ deployment: { db, writer } }) => {
      const begun = Promise.withResolvers<void>();
      const apply: Writer['apply'] = (verb, args) => {
        begun.resolve();
        return writer.apply(verb, args);
      };
      const erased = runJob(eraseClosedStores(db, { ...writer, apply }, Date.now));
      return { begun: begun.promise, erased };
    });
    await Promise.all(erasing.map(({ begun }) => begun));
    await held[Symbol.asyncDispose]();
    await Promise.all(erasing.map(({ erased }) => erased));
    expect(await here.database.rows(`SELECT 1 AS one FROM stores WHERE id = ${storeId}`)).toEqual([]);
  });
});
