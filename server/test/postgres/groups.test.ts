import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { timeouts } from '../../src/config/timeouts.ts';
import { Unavailable } from '../../src/database/engine.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { createKey, newKey } from '../../src/keys/manage-keys.ts';
import { cancelOrder } from '../../src/orders/change-status.ts';
import { placeOrder } from '../../src/orders/place-order.ts';
import { postgres } from '../support/engines.ts';
import { type TestService, type TestStore, useService } from '../support/service.ts';
import { waitingForLocks } from './support/during.ts';
import { hold } from './support/own-postgres.ts';

const at = BigInt(Date.now());

describe('changes that wait for PostgreSQL at the same time', () => {
  const service = useService(postgres);

  /** Hands in changes while the first of them waits for its store: the rest are one group. */
  async function together<T>(store: TestStore, changes: Array<() => Promise<T>>) {
    const { database } = service();
    const url = String(database.location.database);
    const held = await hold(url, `SELECT * FROM stores WHERE id = ${store.storeId} FOR UPDATE`);
    const [first, ...rest] = changes.map((change, i) => ({ change, i }));
    const waiting = [first?.change()];
    await waitingForLocks(database, 1);
    for (const { change } of rest) waiting.push(change());
    await held[Symbol.asyncDispose]();
    return Promise.allSettled(waiting);
  }

  const place = ({ deployment }: TestService, { storeId }: TestStore, idempotencyKey?: string) =>
    deployment.writer.apply(placeOrder, {
      storeId,
      petId: 5n,
      quantity: 1n,
      idempotencyKey,
      at,
    });

  it('share a transaction, and each gets its own response', async () => {
    const store = await service().openStore();
    const { writer } = service().deployment;
    const cancel = (orderId: bigint) => () =>
      writer.apply(cancelOrder, { storeId: store.storeId, orderId, at });
    const outcomes = await together<unknown>(store, [
      ...Array.from({ length: 50 }, () => () => place(service(), store)),
      cancel(2n),
      cancel(2n),
      cancel(1n),
      cancel(999n),
    ]);
    expect(outcomes.slice(0, 50).filter(({ status }) => status === 'rejected')).toEqual([]);
    // Of two for one order, it is anyone's guess which is first.
    const [done, ...rejected] = outcomes
      .slice(50, 52)
      .sort(({ status: a }, { status: b }) => (a < b ? -1 : 1));
    expect(done).toMatchObject({ status: 'fulfilled' });
    expect([...rejected, ...outcomes.slice(52)]).toMatchObject([
      { reason: { code: 'order_already_cancelled' } },
      { reason: { code: 'order_already_shipped' } },
      { reason: { code: 'not_found' } },
    ]);
    // Every row carries the transaction that wrote it: the one that waited, and the one of all the others.
    const rows = await service().database.rows(
      `SELECT DISTINCT xmin::text AS transaction FROM orders WHERE store_id = ${store.storeId} AND (id > 40 OR id = 2)`,
    );
    expect(rows).toHaveLength(2);
  });

  it('are retried one by one if one breaks the transaction, which is rolled back', async () => {
    const store = await service().openStore();
    const { writer } = service().deployment;
    const { details } = newKey('production', 'twice');
    await writer.apply(createKey, { storeId: store.storeId, key: details, at });
    const outcomes = await together<unknown>(store, [
      ...Array.from({ length: 10 }, (_, i) => () => place(service(), store, `before ${i}`)),
      () => writer.apply(createKey, { storeId: store.storeId, key: details, at }),
      ...Array.from({ length: 10 }, (_, i) => () => place(service(), store, `after ${i}`)),
    ]);
    expect(outcomes.splice(10, 1)).toMatchObject([{ status: 'rejected' }]);
    const placed = outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? (outcome.value as Awaited<ReturnType<typeof place>>) : undefined,
    );
    expect(placed.every((response) => response?.replayed === false)).toBe(true);
    const rows = await service().database.rows(
      `SELECT id FROM orders WHERE store_id = ${store.storeId} AND id > 40 ORDER BY id`,
    );
    expect(rows).toHaveLength(20);
    expect(
      placed
        .map((response) => response && 'order' in response.placement && response.placement.order.id)
        .sort(),
    ).toEqual(rows.map(({ id }) => id));
  });

  it('of a new store and an old one do not wait for each other', async () => {
    const store = await service().openStore();
    const url = String(service().database.location.database);
    const held = await hold(url, `SELECT * FROM stores WHERE id = ${store.storeId} FOR UPDATE`);
    const placing = place(service(), store);
    const fresh = await service().openStore();
    expect((await service().request('GET /v1/pets', { key: fresh.key })).status).toBe(200);
    const [waiting] = await service().database.rows(
      `SELECT next_order_id FROM stores WHERE id = ${store.storeId}`,
    );
    expect(waiting).toEqual({ next_order_id: 41n });
    await held[Symbol.asyncDispose]();
    expect((await placing).placement).toMatchObject({ order: { id: 41n } });
  });
});

describe('concurrent reads of large lists', () => {
  const service = useService(postgres);

  it('use a limited number of connections: the next one waits, until a timeout', async () => {
    onTestFinished(() => void vi.useRealTimers());
    const db = openPostgres(String(service().database.location.database));
    const open = await Promise.all(Array.from({ length: 8 }, () => db.snapshot()));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const rejected = expect(db.snapshot()).rejects.toThrow(Unavailable);
    await vi.advanceTimersByTimeAsync(timeouts.connectTimeoutMs);
    await rejected;
    vi.useRealTimers();
    const waiting = db.snapshot();
    await open.pop()?.[Symbol.asyncDispose]();
    open.push(await waiting);
    await Promise.all(open.map((snapshot) => snapshot[Symbol.asyncDispose]()));
    await db.close();
  });
});
