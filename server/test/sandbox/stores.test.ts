import { describe, expect, it } from 'vitest';
import { engines, sqlite } from '../support/engines.ts';
import { readEvents } from '../support/event-reader.ts';
import { listOrders } from '../support/orders.ts';
import { startService, type TestService, useService } from '../support/service.ts';
import { clientOf } from '../support/v2.ts';

const staging = { deployment: 'staging' } as const;
const json = { 'content-type': 'application/json' };
type Keyed = { key: string };

interface Opened {
  key: string;
  expiresAt: string;
  dataSet: string;
  seed: bigint | null;
  orders: bigint;
  pets: bigint;
  revision: bigint;
}

const tryOpen = (service: TestService, store: Keyed, body: object | string) =>
  clientOf(service, store)('POST /v2/sandbox/stores', { headers: json, body });
const end = (service: TestService, store: Keyed) =>
  clientOf(service, store)('DELETE /v2/sandbox/stores/current');

async function open(service: TestService, store: Keyed, body: object | string = '{}'): Promise<Opened> {
  const response = await tryOpen(service, store, body);
  expect(response.status).toBe(201);
  return response.json<Opened>();
}

const codeOf = async (response: ReturnType<typeof tryOpen>) => {
  const { status, json } = await response;
  return [status, json<{ code: string }>().code];
};

describe.each(engines)('a store by one call on $name', (engine) => {
  // A stopped clock, so that no store expires during a slow test.
  const begun = Date.now();
  const service = useService(engine, { ...staging, now: () => begun });

  it('is new, with a key for it alone, and the requested contents', async () => {
    const opener = await service().openStore();
    const plain = await open(service(), opener);
    expect(plain).toMatchObject({ dataSet: 'default', seed: 1n, orders: 40n, pets: 12n });
    expect(Date.parse(plain.expiresAt)).toBe(begun + 3_600_000);
    const data = '{"pets":[{"name":"Ada","category":"cat","stock":2}],"orders":[{"petId":1,"quantity":1}]}';
    const own = await open(service(), opener, `{"data":${data},"expiresIn":60}`);
    expect(own).toMatchObject({ dataSet: 'own', seed: null, orders: 1n, pets: 1n });
    const placed = await clientOf(service(), own)('POST /v2/store/orders', {
      headers: json,
      body: '{"petId":1,"quantity":1}',
    });
    expect(placed.json<{ id: bigint }>().id).toBe(2n);
    const large = await open(service(), opener, { dataSet: 'large', orders: 2_500, seed: 3 });
    expect(await listOrders(service(), large)).toHaveLength(2_500);
    expect(await listOrders(service(), plain)).toHaveLength(40);
    expect(await listOrders(service(), opener)).toHaveLength(40);
  });

  it('opened and reset concurrently: all of them exist', async () => {
    const opener = await service().openStore();
    const stores = await Promise.all(Array.from({ length: 10 }, () => open(service(), opener)));
    const resets = await Promise.all(
      stores.map((store) =>
        clientOf(service(), store)('POST /v2/sandbox/reset', { headers: json, body: '{"dataSet":"empty"}' }),
      ),
    );
    expect(resets.map(({ status }) => status)).toEqual(stores.map(() => 200));
    expect(new Set(stores.map(({ key }) => key)).size).toBe(10);
  });

  it('ends with DELETE: its key, its streams and all its data', async () => {
    await using own = await startService(engine, { ...staging, now: () => begun });
    const opener = await own.openStore();
    const store = await open(own, opener);
    using events = await readEvents(own, { key: store.key });
    expect((await end(own, store)).status).toBe(204);
    expect(await codeOf(end(own, store))).toEqual([401, 'invalid_api_key']);
    await events.ended;
    const later = () => begun + 2 * 60_000;
    await using next = await startService(engine, { ...staging, database: own.database, now: later });
    await next.app.idle();
    const left = await own.database.rows('SELECT DISTINCT store_id FROM orders');
    expect(left).toEqual([{ store_id: opener.storeId }]);
  });

  it('404: no other store can be ended', async () => {
    const opener = await service().openStore();
    expect(await codeOf(end(service(), opener))).toEqual([404, 'not_found']);
    expect(await listOrders(service(), opener)).toHaveLength(40);
  });

  it('403: it cannot open stores itself, not even after a reset', async () => {
    const store = await open(service(), await service().openStore());
    expect(await codeOf(tryOpen(service(), store, '{}'))).toEqual([403, 'forbidden']);
    await clientOf(service(), store)('POST /v2/sandbox/reset', {
      headers: json,
      body: '{"dataSet":"empty"}',
    });
    expect(await codeOf(tryOpen(service(), store, '{}'))).toEqual([403, 'forbidden']);
    expect((await end(service(), store)).status).toBe(204);
  });

  it('409: at most 100 at a time; ending one allows another', async () => {
    let now = Date.now();
    await using own = await startService(engine, { ...staging, now: () => now });
    const opener = await own.openStore();
    const body = { dataSet: 'empty', expiresIn: 60 };
    const stores = await Promise.all(Array.from({ length: 100 }, () => open(own, opener, body)));
    expect(await codeOf(tryOpen(own, opener, body))).toEqual([409, 'store_limit_reached']);
    await end(own, stores[0] as Opened);
    const another = await open(own, opener, { ...body, expiresIn: 86_400 });
    expect(await codeOf(tryOpen(own, opener, body))).toEqual([409, 'store_limit_reached']);
    const other = await own.openStore();
    await open(own, other, body);
    now += 60_000;
    expect((await clientOf(own, stores[1] as Opened)('GET /v1/pets')).status).toBe(401);
    await open(own, opener, body);
    expect((await clientOf(own, another)('GET /v1/pets')).status).toBe(200);
  });

  it('409: their orders are counted together, also under concurrent opening and resetting', async () => {
    await using own = await startService(engine, { ...staging, quotas: { orders: 50n } });
    const opener = await own.openStore();
    const atOnce = await Promise.all(Array.from({ length: 5 }, () => tryOpen(own, opener, '{}')));
    expect(atOnce.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    const full = atOnce.find(({ status }) => status === 201) as Awaited<ReturnType<typeof tryOpen>>;
    const stores = [full.json<Opened>(), await open(own, opener, { dataSet: 'empty' })];
    const resetTo = (dataSet: string) =>
      Promise.all(
        stores.map((store) =>
          clientOf(own, store)('POST /v2/sandbox/reset', { headers: json, body: { dataSet } }),
        ),
      );
    await resetTo('empty');
    expect((await resetTo('default')).map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('is erased some time after it expired, with every key added to it', async () => {
    let now = Date.now();
    await using own = await startService(engine, { ...staging, now: () => now });
    const opener = await own.openStore();
    const store = await open(own, opener, { expiresIn: 60 });
    await clientOf(own, store)('POST /v2/sandbox/reset', { headers: json, body: '{"dataSet":"default"}' });
    now += 60_000;
    expect((await clientOf(own, store)('GET /v1/pets')).status).toBe(401);
    const later = () => now + 5 * 60_000;
    await using next = await startService(engine, { ...staging, database: own.database, now: later });
    await next.app.idle();
    expect(await own.database.rows('SELECT id FROM stores')).toEqual([{ id: opener.storeId }]);
    expect(await own.database.rows('SELECT DISTINCT store_id FROM keys')).toEqual([
      { store_id: opener.storeId },
    ]);
  });
});

describe('temporary stores', () => {
  const service = useService(sqlite, staging);

  it.each(['59', '86401', '"60"', '-1', '60.5', 'null'])('400: `expiresIn` is not %s', async (seconds) => {
    const response = tryOpen(service(), await service().openStore(), `{"expiresIn":${seconds}}`);
    expect(await codeOf(response)).toEqual([400, 'invalid_body']);
  });

  it.each(['{"dataSet":"none"}', '{"colour":"red"}', '[]', '{"data":{}}'])('400: %s', async (body) => {
    expect(await codeOf(tryOpen(service(), await service().openStore(), body))).toEqual([
      400,
      'invalid_body',
    ]);
  });

  it('422: invalid data creates no store', async () => {
    const store = await service().openStore();
    const count = async () => (await service().database.rows('SELECT id FROM stores')).length;
    const before = await count();
    const response = tryOpen(service(), store, {
      data: { pets: [], orders: [{ petId: 1, quantity: 1 }] },
    });
    expect(await codeOf(response)).toEqual([422, 'invalid_data']);
    expect(await count()).toBe(before);
  });

  it('counts toward the store that opened it: requests per minute, and orders', async () => {
    const begun = Date.now();
    const limits = { rateLimit: 12, quotas: { orders: 100n }, now: () => begun };
    await using own = await startService(sqlite, { ...staging, ...limits });
    const opener = await own.openStore();
    const body = { dataSet: 'large', orders: 60 };
    const store = await open(own, opener, body);
    expect(await codeOf(tryOpen(own, opener, body))).toEqual([409, 'order_limit_reached']);
    const reset = (orders: number) =>
      clientOf(own, store)('POST /v2/sandbox/reset', {
        headers: json,
        body: `{"dataSet":"large","orders":${orders}}`,
      });
    expect((await reset(100)).status).toBe(200);
    expect(await codeOf(reset(101))).toEqual([409, 'order_limit_reached']);
    const pets = () => clientOf(own, store)('GET /v1/pets');
    for (let calls = 0; calls < 8; calls++) expect((await pets()).status).toBe(200);
    expect((await pets()).status).toBe(429);
    expect((await clientOf(own, opener)('GET /v1/pets')).status).toBe(429);
  });
});
