import { describe, expect, it } from 'vitest';
import { everyCase } from '../support/effort.ts';
import { engines, postgres, sqlite } from '../support/engines.ts';
import { readEvents } from '../support/event-reader.ts';
import { listOrders } from '../support/orders.ts';
import { startService, type TestService, type TestStore, useService } from '../support/service.ts';
import { clientOf } from '../support/v2.ts';

const staging = { deployment: 'staging' } as const;

interface Reset {
  dataSet: string;
  seed: bigint;
  orders: bigint;
  pets: bigint;
  revision: bigint;
}

const json = { 'content-type': 'application/json' };

function reset(service: TestService, store: { key: string }, body: object | string) {
  return clientOf(service, store)('POST /v2/sandbox/reset', { headers: json, body });
}

async function bytesOf({ request }: TestService, { key }: { key: string }): Promise<string[]> {
  const [orders, pets] = [
    await request('GET /v1/store/orders', { key }),
    await request('GET /v1/pets', { key }),
  ];
  expect([orders.status, pets.status]).toEqual([200, 200]);
  return [orders.text, pets.text];
}

async function revisionOf({ database }: TestService, key: string): Promise<bigint> {
  const [row] = await database.rows(
    `SELECT revision FROM stores JOIN keys ON stores.id = keys.store_id WHERE last_four = '${key.slice(-4)}'`,
  );
  return row?.revision as bigint;
}

describe.each(engines)('a reset on $name', (engine) => {
  const service = useService(engine, staging);
  const place = (store: TestStore, idempotencyKey = 'one') =>
    clientOf(service(), store)('POST /v2/store/orders', {
      headers: { 'idempotency-key': idempotencyKey },
      body: { petId: 1, quantity: 1 },
    });

  it('to `default` restores the demonstration data, with any seed, under the same key', async () => {
    const store = await service().openStore();
    const before = await bytesOf(service(), store);
    await place(store);
    await service().request('DELETE /v1/store/orders/2', { key: store.key });
    expect(await bytesOf(service(), store)).not.toEqual(before);
    const revision = await revisionOf(service(), store.key);
    const response = await reset(service(), store, { dataSet: 'default', seed: 99, today: '2026-11-16' });
    expect(response.status).toBe(200);
    expect(response.json<Reset>()).toEqual({
      dataSet: 'default',
      seed: 99n,
      orders: 40n,
      pets: 12n,
      revision: revision + 1n,
    });
    expect(await bytesOf(service(), store)).toEqual(before);
    expect((await place(store, 'two')).json<{ id: bigint }>().id).toBe(41n);
  });

  it('to `empty` leaves nothing, and IDs restart at 1', async () => {
    const store = await service().openStore();
    expect((await reset(service(), store, { dataSet: 'empty' })).json<Reset>()).toMatchObject({
      orders: 0n,
      pets: 0n,
      seed: 1n,
    });
    expect(await bytesOf(service(), store)).toEqual(['[]', '[]']);
    const pet = await service().request('POST /v2/pets', {
      key: store.key,
      headers: json,
      body: '{"name":"Luna","category":"cat","stock":3}',
    });
    expect(pet.json<{ id: bigint }>().id).toBe(1n);
    expect((await place(store)).json<{ id: bigint }>().id).toBe(1n);
  });

  it('to `int64` has every difficult ID, half of them pending, and new ones start at 1001', async () => {
    const store = await service().openStore();
    const response = await reset(service(), store, { dataSet: 'int64' });
    expect(response.json<Reset>()).toMatchObject({ orders: 9n, pets: 9n });
    const ids = [
      1n,
      2n ** 31n - 1n,
      2n ** 31n,
      2n ** 32n,
      2n ** 53n - 1n,
      2n ** 53n,
      2n ** 53n + 1n,
      2n ** 63n - 2n,
      2n ** 63n - 1n,
    ];
    expect((await listOrders(service(), store)).map(({ id }) => id)).toEqual(ids);
    const pets = (await service().request('GET /v1/pets', { key: store.key })).json<Array<{ id: bigint }>>();
    expect(pets.map(({ id }) => id)).toEqual(ids);
    const pending = await clientOf(service(), store)('GET /v2/store/orders?status=pending');
    expect(pending.json<{ data: unknown[] }>().data.length).toBe(5);
    for (const id of [2n ** 53n, 2n ** 53n + 1n]) {
      const { status } = await service().request(`DELETE /v1/store/orders/${id}`, { key: store.key });
      expect([id, status]).toEqual([id, id === 2n ** 53n ? 409 : 204]);
    }
    expect((await place(store)).json<{ id: bigint }>().id).toBe(1001n);
    const made = await service().request('POST /v2/pets', {
      key: store.key,
      headers: json,
      body: '{"name":"Luna","category":"cat"}',
    });
    expect(made.json<{ id: bigint }>().id).toBe(1001n);
  });

  it('to `large` has the requested number of orders, all in the list and on date pages', async () => {
    const store = await service().openStore();
    const response = await reset(service(), store, { dataSet: 'large', orders: 5000, seed: 3 });
    expect(response.json<Reset>()).toMatchObject({ orders: 5000n, pets: 12n, seed: 3n });
    const orders = await listOrders(service(), store);
    expect(orders.map(({ id }) => id)).toEqual(Array.from({ length: 5000 }, (_, i) => BigInt(i + 1)));
    const from = '2026-06-01T00:00:00.000Z';
    const wanted = orders.filter(({ shipDate }) => shipDate >= from).map(({ id }) => id);
    const page = await clientOf(service(), store)(`GET /v2/store/orders?shipDateFrom=${from}&limit=1000`);
    expect(page.json<{ data: Array<{ id: bigint }> }>().data.map(({ id }) => id)).toEqual(
      wanted.slice(0, 1000),
    );
    expect((await place(store)).json<{ id: bigint }>().id).toBe(5001n);
  });

  it('deletes idempotency keys, and never matches an earlier list’s ETag', async () => {
    const store = await service().openStore();
    const first = await place(store);
    expect((await place(store)).headers['idempotent-replayed']).toBe('true');
    const { headers } = await service().request('GET /v1/store/orders', { key: store.key });
    await reset(service(), store, { dataSet: 'default' });
    const again = await place(store);
    expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([201, 201, undefined]);
    const list = await service().request('GET /v1/store/orders', {
      key: store.key,
      headers: { 'if-none-match': String(headers.etag) },
    });
    expect(list.status).toBe(200);
  });

  it('is visible at once on another replica that cached the list', async () => {
    await using replica = await startService(engine, { ...staging, database: service().database });
    const store = await service().openStore();
    await bytesOf(replica, store);
    await reset(service(), store, { dataSet: 'empty' });
    expect(await bytesOf(replica, store)).toEqual(['[]', '[]']);
  });

  it('affects no other store', async () => {
    const [one, other] = [await service().openStore(), await service().openStore()];
    const before = await bytesOf(service(), other);
    await reset(service(), one, { dataSet: 'empty' });
    expect(await bytesOf(service(), other)).toEqual(before);
  });

  it('among concurrent ones succeeds or is rejected, and the store has one’s result', async () => {
    const store = await service().openStore();
    const sets = [{ dataSet: 'empty' }, { dataSet: 'int64' }, { dataSet: 'large', orders: 3000 }];
    const responses = await Promise.all(sets.map((set) => reset(service(), store, set)));
    expect(responses.map(({ status }) => status).filter((status) => status !== 503)).toContain(200);
    expect(responses.every(({ status }) => status === 200 || status === 503)).toBe(true);
    const made = responses.filter(({ status }) => status === 200).map((response) => response.json<Reset>());
    const newest = made.sort((a, b) => Number(b.revision - a.revision))[0];
    expect(BigInt((await listOrders(service(), store)).length)).toBe(newest?.orders);
  });

  it('during placements: each is reported as placed or not, and no key is lost', async () => {
    const store = await service().openStore();
    const placing = Array.from({ length: 40 }, (_, i) => place(store, `order ${i}`));
    const resetting = reset(service(), store, { dataSet: 'default' });
    const statuses = (await Promise.all(placing)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 201 && status !== 503 && status !== 409)).toEqual([]);
    expect((await resetting).status).toBe(200);
    expect((await service().request('GET /v1/pets', { key: store.key })).status).toBe(200);
  });

  it('leaves the replaced store to be erased once no reader can still use it', async () => {
    const begun = Date.now();
    await using own = await startService(engine, { ...staging, now: () => begun });
    const store = await own.openStore();
    await reset(own, store, { dataSet: 'int64' });
    const [remaining] = await own.database.rows(
      `SELECT count(*) AS n FROM orders WHERE store_id = ${store.storeId}`,
    );
    expect(remaining?.n).toBe(40n);
    const later = () => begun + 2 * 60_000;
    await using next = await startService(engine, { ...staging, database: own.database, now: later });
    await next.app.idle();
    const left = await own.database.rows(
      `SELECT id FROM stores WHERE id = ${store.storeId} UNION SELECT id FROM orders WHERE store_id = ${store.storeId}`,
    );
    expect(left).toEqual([]);
    expect((await listOrders(own, store)).length).toBe(9);
  });

  it.each([
    ['no object', '[]'],
    ['no data set', '{}'],
    ['another data set', '{"dataSet":"huge"}'],
    ['a seed beyond 64 bits', '{"dataSet":"int64","seed":9223372036854775808}'],
    ['a seed that is text', '{"dataSet":"int64","seed":"1"}'],
    ['orders of another data set', '{"dataSet":"int64","orders":5}'],
    ['no orders', '{"dataSet":"large","orders":0}'],
    ['too many orders', '{"dataSet":"large","orders":1000001}'],
    ['half an order', '{"dataSet":"large","orders":1.5}'],
    ['an unknown field', '{"dataSet":"large","pets":5}'],
    ['a day that does not exist', '{"dataSet":"default","today":"2026-02-30"}'],
    ['a day with a time', '{"dataSet":"default","today":"2026-11-16T00:00:00Z"}'],
    ['a day beyond all dates', '{"dataSet":"default","today":"9999-01-01"}'],
    ['a day that is a number', '{"dataSet":"default","today":20261116}'],
  ])('rejects %s and changes nothing', async (_, body) => {
    const store = await service().openStore();
    const before = await bytesOf(service(), store);
    const response = await reset(service(), store, body);
    expect([response.status, response.json<{ code: string }>().code]).toEqual([400, 'invalid_body']);
    expect(await bytesOf(service(), store)).toEqual(before);
  });

  it('requires a key before any other check', async () => {
    expect((await service().request('POST /v2/sandbox/reset')).status).toBe(401);
    expect((await service().request('PUT /v2/sandbox/faults')).status).toBe(401);
  });
});

describe('dates', () => {
  const day = 86_400_000;
  const later = (orders: Array<{ shipDate: string; id: bigint }>, days: number) =>
    orders.map(({ shipDate, id }) => [id, new Date(Date.parse(shipDate) + days * day).toISOString()]);

  it.each(everyCase ? ['default', 'int64', 'large'] : ['default', 'int64'])(
    'of `%s` are relative to the day of the reset',
    async (dataSet) => {
      let now = Date.parse('2031-03-04T23:59:59.999Z');
      await using service = await startService(sqlite, { ...staging, now: () => now });
      const store = await service.openStore();
      const list = async (more = {}) => {
        expect((await reset(service, store, { dataSet, ...more })).status).toBe(200);
        return listOrders(service, store);
      };
      const before = await list();
      expect(await list({ today: '2031-03-04' })).toEqual(before);
      now += 1;
      const after = await list();
      expect(later(before, 1)).toEqual(later(after, 0));
    },
  );

  it.each(['default', 'int64'])(
    'of `%s`: pending orders ship after today, the others before',
    async (dataSet) => {
      await using service = await startService(sqlite, staging);
      const store = await service.openStore();
      await reset(service, store, { dataSet, today: '2044-05-06' });
      const { data } = (await clientOf(service, store)('GET /v2/store/orders?limit=100')).json<{
        data: Array<{ status: string; shipDate: string; updatedAt: string }>;
      }>();
      const today = '2044-05-06T00:00:00.000Z';
      expect(data.filter(({ status, shipDate }) => (status === 'pending') !== shipDate > today)).toEqual([]);
      expect(data.filter(({ updatedAt }) => updatedAt > today)).toEqual([]);
    },
  );
});

describe('the same data set, seed and day', () => {
  it.each([
    { dataSet: 'default', today: '"1999-12-31"' },
    { dataSet: 'int64', seed: '-9223372036854775808' },
    { dataSet: 'int64', seed: '5' },
    { dataSet: 'large', seed: '9223372036854775807', orders: '4321' },
    { dataSet: 'large', seed: '2', orders: '1', today: '"2040-02-29"' },
  ])('$dataSet, seed $seed, $today: identical bytes on both engines, and after a restart', async (set) => {
    const body = `{${Object.entries(set)
      .map(([name, value]) => `"${name}":${name === 'dataSet' ? `"${value}"` : value}`)
      .join()}}`;
    await using small = await startService(sqlite, staging);
    await using large = await startService(postgres, staging);
    const stores = [await small.openStore(), await large.openStore()] as const;
    expect((await reset(small, stores[0], body)).status).toBe(200);
    expect((await reset(large, stores[1], body)).status).toBe(200);
    const bytes = await bytesOf(small, stores[0]);
    expect(await bytesOf(large, stores[1])).toEqual(bytes);
    await using restarted = await startService(sqlite, { ...staging, database: small.database });
    expect(await bytesOf(restarted, stores[0])).toEqual(bytes);
    const pages = (service: TestService, store: TestStore) =>
      clientOf(service, store)('GET /v2/store/orders?limit=1000');
    const data = async (response: ReturnType<typeof pages>) => (await response).text.split('"nextCursor"')[0];
    expect(await data(pages(small, stores[0]))).toBe(await data(pages(large, stores[1])));
  });

  it('another seed generates other orders', async () => {
    await using service = await startService(sqlite, staging);
    const store = await service.openStore();
    for (const set of [{ dataSet: 'int64' }, { dataSet: 'large', orders: 100 }]) {
      const [one, other] = [
        (await reset(service, store, { ...set, seed: 1 })) && (await bytesOf(service, store)),
        (await reset(service, store, { ...set, seed: 2 })) && (await bytesOf(service, store)),
      ];
      expect(one).not.toEqual(other);
    }
  });
});

describe.each(engines)('streams of a store that is reset on $name', (engine) => {
  it('continue in the new one, here and on another replica, without polling', async () => {
    const neverAsked = { ...staging, streams: { heartbeatMs: 1e9, pollMs: 1e9 } };
    await using service = await startService(engine, neverAsked);
    const store = await service.openStore();
    using here = await readEvents(service, { key: store.key });
    const { revision } = (await reset(service, store, { dataSet: 'empty' })).json<Reset>();
    const [event] = await here.waitForEvents(1);
    expect(event).toMatchObject({ id: String(revision), type: 'store.reset' });
    if (engine.name !== 'postgres') return;

    await using other = await startService(engine, { ...neverAsked, database: service.database });
    using there = await readEvents(other, { key: store.key });
    // It misses notifications before it listens: a missed reset would never be noticed, a missed pet only until the next change.
    let pets = 0;
    for (let received = 0; received === 0; pets++) {
      await clientOf(service, store)('POST /v2/pets', { body: { name: 'Rex', category: 'dog' } });
      const output = new Promise<number>((resolve) => setTimeout(resolve, 200, 0));
      received = await Promise.race([there.waitForEvents(1).then(({ length }) => length), output]);
    }
    // A reader that has not reached the last pet at the reset gets only the reset.
    await there.waitForEvents(pets);
    await reset(service, store, { dataSet: 'empty' });
    expect((await there.waitForEvents(pets + 1)).at(-1)?.type).toBe('store.reset');
  });
});
