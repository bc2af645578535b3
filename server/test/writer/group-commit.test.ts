import { describe, expect, it } from 'vitest';
import { DomainError } from '../../src/domain/domain-error.ts';
import { createKey, newKey } from '../../src/keys/manage-keys.ts';
import type { OrderChange } from '../../src/orders/change-status.ts';
import { cancelOrder, deliverOrder, shipOrder } from '../../src/orders/change-status.ts';
import { placeOrder } from '../../src/orders/place-order.ts';
import { changePet, createPet } from '../../src/pets/save-pet.ts';
import { prepareStore, replaceStore } from '../../src/sandbox/prepared-stores.ts';
import { eraseStore } from '../../src/stores/end-stores.ts';
import { runGroup } from '../../src/writer/group.ts';
import type { TransactionConnection, Verb } from '../../src/writer/verb.ts';
import { engines } from '../support/engines.ts';
import { idsWithStatus } from '../support/orders.ts';
import { anyPet } from '../support/pets.ts';
import { type TestService, type TestStore, useService } from '../support/service.ts';

/** For each pet: stock and the units in orders that are not cancelled. It stays the same under any change. */
async function units({ database }: TestService, { storeId }: TestStore): Promise<unknown> {
  return database.rows(
    `SELECT pets.id, CAST(pets.stock + COALESCE((
       SELECT SUM(quantity) FROM orders
       WHERE orders.store_id = pets.store_id AND orders.pet_id = pets.id AND status <> 'cancelled'
     ), 0) AS BIGINT) AS units
     FROM pets WHERE store_id = ${storeId} ORDER BY id`,
  );
}

/** One of the fish, of which there are many. */
function placement(storeId: bigint) {
  return { storeId, petId: 5n, quantity: 1n, idempotencyKey: undefined, at: 0n };
}

describe.each(engines)('changes that share a commit on $name', (engine) => {
  // By the clock of the service, no store that a test closes is to be erased yet: no job interferes.
  const service = useService(engine, { now: () => 0 });

  /** Changes that break their transaction instead of being rejected. */
  const poisons: Record<string, (store: TestStore) => Promise<unknown>> = {
    'a key that exists already': async ({ storeId }) => {
      const { writer } = service().deployment;
      const { details } = newKey('production', 'twice');
      await writer.apply(createKey, { storeId, key: details, at: 0n });
      return () => writer.apply(createKey, { storeId, key: details, at: 0n });
    },
    'an id beyond 64 bits':
      async ({ storeId }) =>
      () =>
        service().deployment.writer.apply(cancelOrder, { storeId, orderId: 2n ** 63n, at: 0n }),
  };

  it.each(Object.entries(poisons))('%s fails alone, at any position in the group', async (_, prepare) => {
    const { openStore, database, deployment } = service();
    for (const place of [0, 1, 7, 18]) {
      const store = await openStore();
      const poison = (await prepare(store)) as () => Promise<unknown>;
      const before = await units(service(), store);
      const pending = await idsWithStatus(service(), store, 'pending');
      const changes: Array<() => Promise<unknown>> = pending.map(
        (orderId) => () =>
          deployment.writer.apply(cancelOrder, {
            storeId: store.storeId,
            orderId,
            at: BigInt(Date.now()),
          }),
      );
      // Placing has the most steps of all changes: it is still in progress when the failing command breaks the group.
      const placements = Array.from(
        { length: 5 },
        (_, i) => () =>
          deployment.writer.apply(placeOrder, {
            storeId: store.storeId,
            petId: 1n,
            quantity: 1n,
            idempotencyKey: `order ${i}`,
            at: BigInt(Date.now()),
          }),
      );
      changes.splice(5, 0, ...placements);
      const group = [...changes.slice(0, place), poison, ...changes.slice(place)];
      const outcomes = await Promise.allSettled(group.map((change) => change()));
      expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(
        group.map((change) => change === poison),
      );
      expect(await idsWithStatus(service(), store, 'cancelled')).toEqual(pending);
      expect(await units(service(), store)).toEqual(before);
      const [orders] = await database.rows(
        `SELECT count(*) AS n, max(id) AS last FROM orders WHERE store_id = ${store.storeId}`,
      );
      expect(orders).toEqual({ n: 45n, last: 45n });
      const recorded = await database.rows(
        `SELECT order_id, count(*) AS n FROM changes
         WHERE store_id = ${store.storeId} AND order_id <= 40 GROUP BY order_id ORDER BY order_id`,
      );
      expect(recorded).toEqual(pending.map((id) => ({ order_id: id, n: 1n })));
    }
  });

  it('a rejected one is rejected alone, without using up a revision', async () => {
    const { openStore, database, deployment } = service();
    const store = await openStore();
    const revision = async () =>
      (await database.rows(`SELECT revision FROM stores WHERE id = ${store.storeId}`))[0]?.revision;
    const before = await revision();
    const cancel = (orderId: bigint) =>
      deployment.writer.apply(cancelOrder, { storeId: store.storeId, orderId, at: BigInt(Date.now()) });
    await expect(cancel(1n)).rejects.toThrow(DomainError);
    await expect(cancel(41n)).rejects.toThrow(DomainError);
    expect(await revision()).toBe(before);
    const outcomes = await Promise.allSettled([2n, 1n, 41n, 4n, 2n].map(cancel));
    const [one, shipped, missing, pending, other] = outcomes.map(({ status }) => status);
    expect([shipped, missing, pending]).toEqual(['rejected', 'rejected', 'fulfilled']);
    // Two concurrent ones for one order: either may be first.
    expect([one, other].sort()).toEqual(['fulfilled', 'rejected']);
    expect(await idsWithStatus(service(), store, 'cancelled')).toEqual([2n, 4n]);
  });

  it('rejected ones use up no revision and no ID, for any reason', async () => {
    const { openStore, database, deployment } = service();
    const { storeId } = await openStore();
    const { writer } = deployment;
    const counters = `SELECT revision, next_order_id AS orders, next_pet_id AS pets FROM stores WHERE id = ${storeId}`;
    const place = (more: object = {}) => writer.apply(placeOrder, { ...placement(storeId), ...more });
    const pet = { ...anyPet, storeId, at: 0n };
    await place({ idempotencyKey: 'used' });
    const [before] = await database.rows(counters);
    const rejected = {
      unknown_pet: () => place({ petId: 99n }),
      insufficient_stock: () => place({ quantity: 10_000n }),
      order_limit_reached: () => place({ maxOrders: 1n }),
      idempotency_key_reused: () => place({ idempotencyKey: 'used', quantity: 2n }),
      pet_limit_reached: () => writer.apply(createPet, { ...pet, maxPets: 1n }),
      order_already_shipped: () => writer.apply(cancelOrder, { storeId, orderId: 1n, at: 0n }),
      not_found: () => writer.apply(changePet, { storeId, petId: 99n, given: { stock: 1n }, at: 0n }),
    };
    const outcomes = await Promise.allSettled<unknown>([
      ...Object.values(rejected).flatMap((reject) => [reject(), place()]),
      place({ idempotencyKey: 'refused', petId: 99n }),
      writer.apply(createPet, pet),
    ]);
    const codes = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
    expect(codes).toEqual(Object.keys(rejected));
    const [after] = await database.rows(counters);
    const placed = BigInt(codes.length);
    const [revision, orders, pets] = [before?.revision, before?.orders, before?.pets] as [
      bigint,
      bigint,
      bigint,
    ];
    expect(after).toEqual({ revision: revision + placed + 1n, orders: orders + placed, pets: pets + 1n });
  });

  it('every change has its own revision, and its store is never behind its orders', async () => {
    const { openStore, database, deployment } = service();
    const stores = [await openStore(), await openStore(), await openStore()];
    const changes = stores.flatMap(({ storeId }) =>
      Array.from({ length: 40 }, (_, i) =>
        deployment.writer
          .apply<OrderChange, unknown>(i % 3 === 0 ? shipOrder : cancelOrder, {
            storeId,
            orderId: BigInt(i + 1),
            at: 0n,
          })
          .catch(() => {}),
      ),
    );
    await Promise.all(changes);
    for (const { storeId } of stores) {
      const [store] = await database.rows(`SELECT revision FROM stores WHERE id = ${storeId}`);
      const orders = await database.rows(
        `SELECT revision FROM orders WHERE store_id = ${storeId} AND revision > 3`,
      );
      const revisions = orders.map((order) => order.revision as bigint);
      expect(new Set(revisions).size).toBe(revisions.length);
      for (const revision of revisions) expect(revision).toBeLessThanOrEqual(store?.revision as bigint);
    }
  });

  it('an order has the revision of its last change, even with two in one commit', async () => {
    const { openStore, database, deployment } = service();
    const store = await openStore();
    const { storeId } = store;
    const pending = await idsWithStatus(service(), store, 'pending');
    const change = (verb: typeof shipOrder | typeof deliverOrder) => (orderId: bigint) =>
      deployment.writer.apply(verb, { storeId, orderId, at: 0n }).catch(() => {});
    const [ship, deliver] = [change(shipOrder), change(deliverOrder)];
    const [first, ...others] = pending as [bigint, ...bigint[]];
    await Promise.all([ship(first), ...others.flatMap((id) => [deliver(id), ship(id)])]);
    const rows = await database.rows(
      `SELECT orders.revision, max(changes.revision) AS last
       FROM orders JOIN changes ON changes.store_id = orders.store_id AND order_id = orders.id
       WHERE orders.store_id = ${storeId} GROUP BY orders.id, orders.revision`,
    );
    expect(rows).toHaveLength(pending.length);
    for (const { revision, last } of rows) expect(revision).toBe(last);
  });

  it('concurrent changes of a pet’s stock act as if sequential', async () => {
    const { openStore, database, deployment } = service();
    const { storeId } = await openStore();
    const { writer } = deployment;
    const place = (quantity: bigint) => writer.apply(placeOrder, { ...placement(storeId), quantity });
    const stock = async () =>
      (await database.rows(`SELECT stock FROM pets WHERE store_id = ${storeId} AND id = 5`))[0]?.stock;
    const setStock = (stock: bigint) =>
      writer.apply(changePet, { storeId, petId: 5n, given: { stock }, at: 0n });
    const cancel = (orderId: bigint) => writer.apply(cancelOrder, { storeId, orderId, at: 0n });
    await setStock(100n);
    for (const quantity of [3n, 4n, 5n]) await place(quantity);
    expect(await stock()).toBe(88n);
    await Promise.all([cancel(41n), place(10n), cancel(42n), cancel(43n)]);
    expect(await stock()).toBe(90n);
    await Promise.all([cancel(44n), setStock(50n)]);
    expect([50n, 60n]).toContain(await stock());
    await setStock(2n);
    const taken = await Promise.allSettled([place(1n), place(1n), place(1n)]);
    expect(taken.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(await stock()).toBe(0n);
  });

  it('of too few units, the first request gets its units', async () => {
    const { openStore, database, deployment } = service();
    const store = await openStore();
    const before = await units(service(), store);
    const place = (petId: bigint, quantity: bigint) =>
      deployment.writer.apply(placeOrder, { ...placement(store.storeId), petId, quantity });
    // Of one fish there are 120, of the other 80.
    const outcomes = await Promise.allSettled([
      place(5n, 3n),
      place(6n, 1n),
      place(5n, 116n),
      place(5n, 2n),
      place(6n, 79n),
      place(99n, 1n),
      place(5n, 1n),
    ]);
    const rejected = outcomes.flatMap(({ status }, i) => (status === 'rejected' ? [i] : []));
    expect(rejected).toEqual([3, 5]);
    expect(outcomes[3]).toMatchObject({ reason: { code: 'insufficient_stock' } });
    expect(outcomes[5]).toMatchObject({ reason: { code: 'unknown_pet' } });
    expect(await units(service(), store)).toEqual(before);
    const left = await database.rows(
      `SELECT stock FROM pets WHERE store_id = ${store.storeId} AND id IN (5, 6)`,
    );
    expect(left).toEqual([{ stock: 0n }, { stock: 0n }]);
  });

  it('a concurrent cancel of an order being placed succeeds or is 404', async () => {
    const { openStore, deployment } = service();
    const { storeId } = await openStore();
    const { writer } = deployment;
    const place = () => writer.apply(placeOrder, placement(storeId));
    const cancel = (orderId: bigint) => writer.apply(cancelOrder, { storeId, orderId, at: 0n });
    for (const next of [41n, 42n, 43n, 44n, 45n]) {
      const both = next % 2n === 0n ? [cancel(next), place()] : [place(), cancel(next)];
      const outcomes = await Promise.allSettled<unknown>(both);
      const rejections = outcomes.flatMap((outcome) =>
        outcome.status === 'rejected' ? [(outcome.reason as DomainError).code] : [],
      );
      expect([[], ['not_found']]).toContainEqual(rejections);
    }
  });

  it('a store replaced in a group accepts no later change, and its revision continues', async () => {
    const { openStore, database, deployment } = service();
    const { storeId } = await openStore();
    const preparedId = storeId - 1n;
    const { writer } = deployment;
    const next = { nextOrderId: 1n, nextPetId: 1n };
    await writer.apply(prepareStore, { storeId: preparedId, ...next, at: 1n });
    const cancel = (orderId: bigint) => writer.apply(cancelOrder, { storeId, orderId, at: 0n });
    const outcomes = await Promise.allSettled<unknown>([
      cancel(2n),
      cancel(4n),
      writer.apply(replaceStore, {
        replacedId: storeId,
        preparedId,
        capacity: null,
        rateLimit: undefined,
        at: 2n,
      }),
      cancel(6n),
      cancel(8n),
    ]);
    const rows = await database.rows(
      `SELECT id, revision, closed_at IS NULL AS open FROM stores WHERE id IN (${storeId}, ${preparedId})`,
    );
    const revisionOf = (id: bigint) => rows.find((row) => row.id === id)?.revision as bigint;
    expect(revisionOf(preparedId)).toBe(revisionOf(storeId) + 1n);
    const made = outcomes.filter(({ status }, i) => i !== 2 && status === 'fulfilled');
    expect(revisionOf(storeId)).toBe(3n + BigInt(made.length));
    expect(outcomes[2]).toMatchObject({ status: 'fulfilled', value: { revision: revisionOf(preparedId) } });
  });

  it('nothing changes a closed store while it is erased, and nothing of it remains', async () => {
    const { openStore, database, deployment } = service();
    const { storeId } = await openStore();
    const { writer } = deployment;
    await database.rows(`UPDATE stores SET closed_at = 1 WHERE id = ${storeId} RETURNING id`);
    const outcomes = await Promise.allSettled<unknown>([
      writer.apply(cancelOrder, { storeId, orderId: 2n, at: 0n }),
      writer.apply(shipOrder, { storeId, orderId: 4n, at: 0n }),
      writer.apply(placeOrder, placement(storeId)),
      writer.apply(eraseStore, { storeId }),
      writer.apply(cancelOrder, { storeId, orderId: 6n, at: 0n }),
    ]);
    expect(outcomes).toMatchObject([
      ...Array.from({ length: 3 }, () => ({ reason: { code: 'not_found' } })),
      { value: { erased: true } },
      { reason: { code: 'not_found' } },
    ]);
    for (const table of ['orders', 'changes', 'pets', 'keys']) {
      expect(await database.rows(`SELECT 1 AS one FROM ${table} WHERE store_id = ${storeId}`)).toEqual([]);
    }
  });
});

it('a group with only rejected commands is rolled back: it has nothing to commit', async () => {
  const ends: string[] = [];
  const connection: TransactionConnection = {
    all: async () => [],
    begin: async () => {},
    commit: async () => void ends.push('commit'),
    rollback: async () => void ends.push('rollback'),
    isInTransaction: true,
  };
  const args = { storeId: 1n, orderId: 1n, at: 0n };
  const verb = cancelOrder as Verb<never, unknown>;
  const { outcomes } = await runGroup((work) => work(connection), [{ verb, args }]);
  expect(outcomes).toMatchObject([{ rejected: 'not_found' }]);
  expect(ends).toEqual(['rollback']);
});
