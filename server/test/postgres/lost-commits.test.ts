import { describe, expect, it } from 'vitest';
import { everyCase } from '../support/effort.ts';
import { idsWithStatus } from '../support/orders.ts';
import { startService, type TestService } from '../support/service.ts';
import { eventually } from './support/eventually.ts';
import { useOwnPostgres } from './support/own-postgres.ts';
import { type CommitFate, type DatabaseProxy, startProxy } from './support/proxy.ts';
import { expectUnavailable, listedIds, placeOrder, sendRequest } from './support/requests.ts';

describe('a COMMIT whose response is lost', () => {
  const postgres = useOwnPostgres();

  /** A service that reaches its database through the proxy. */
  async function startBehindProxy(): Promise<
    AsyncDisposable & { proxy: DatabaseProxy; service: TestService }
  > {
    const proxy = await startProxy(postgres().port);
    const database = await postgres().engine.create();
    const address = String(database.location.database).replace(`:${postgres().port}`, `:${proxy.port}`);
    const service = await startService(postgres().engine, {
      database: { ...database, location: { ...database.location, database: address } },
    });
    return {
      proxy,
      service,
      async [Symbol.asyncDispose]() {
        proxy.fate = 'arrives';
        await service[Symbol.asyncDispose]();
        await proxy[Symbol.asyncDispose]();
      },
    };
  }

  const fates: Array<{ fate: CommitFate; done: boolean }> = [
    { fate: 'is lost', done: false },
    { fate: 'commits, but its response is lost', done: true },
    { fate: 'is lost, and gets an error without a code', done: false },
    { fate: 'commits, but gets an error without a code', done: true },
  ];

  /** The others differ in the error alone. */
  const lostOrDone = everyCase ? fates : fates.slice(0, 2);

  it.each(lostOrDone)('503: for every change in the group, when it $fate', async ({ fate, done }) => {
    await using both = await startBehindProxy();
    const { proxy, service } = both;
    const store = await service.openStore();
    const before = await idsWithStatus(service, store, 'pending');
    proxy.fate = fate;
    const responses = await Promise.all(
      before.map((id) => sendRequest(service, `DELETE /v1/store/orders/${id}`, store.key)),
    );
    for (const response of responses) expectUnavailable(response);
    expect(proxy.lost).toBeGreaterThan(0);
    expect(service.log.join('')).toMatch(/the commit was not confirmed: \w+/);

    proxy.fate = 'arrives';
    const after = await idsWithStatus(service, store, 'pending');
    expect(after).toEqual(done ? [] : before);
    expect(await listedIds(service, store.key)).toHaveLength(done ? 40 - before.length : 40);
  });

  it.each(lostOrDone)('503: no change is applied twice, when it $fate', async ({ fate, done }) => {
    await using both = await startBehindProxy();
    const { proxy, service } = both;
    const store = await service.openStore();
    const placed = () =>
      service.database.rows(`SELECT id FROM orders WHERE store_id = ${store.storeId} AND id > 40`);
    proxy.fate = fate;
    const responses = await Promise.all([1, 2, 3].map(() => placeOrder(service, store.key)));
    for (const response of responses) expectUnavailable(response);
    proxy.fate = 'arrives';
    expect(await placed()).toHaveLength(done ? 3 : 0);
    await eventually(
      () => placeOrder(service, store.key),
      ({ status }) => status === 201,
    );
    expect(await placed()).toHaveLength(done ? 4 : 1);
  });

  it.each(lostOrDone)(
    '201: an order retried with its key is placed once, if its first attempt $fate',
    async ({ fate }) => {
      await using both = await startBehindProxy();
      const { proxy, service } = both;
      const store = await service.openStore();
      const place = () => placeOrder(service, store.key, { 'idempotency-key': 'once' });
      proxy.fate = fate;
      expectUnavailable(await place());
      proxy.fate = 'arrives';
      const again = await eventually(place, ({ status }) => status !== 503);
      expect(again.status).toBe(201);
      const placed = await service.database.rows(
        `SELECT id FROM orders WHERE store_id = ${store.storeId} AND id > 40`,
      );
      expect(placed).toEqual([{ id: 41n }]);
    },
  );
});
