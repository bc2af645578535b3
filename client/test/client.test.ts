import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { anyEngine } from '../../server/test/support/engines.ts';
import { insertOrders } from '../../server/test/support/orders.ts';
import { useService } from '../../server/test/support/service.ts';
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  createClient,
  InvalidRequestError,
  NotFoundError,
  type PetStoreError,
  TimeoutError,
  UnavailableError,
} from '../src/index.ts';
import { parseJson, writeJson } from '../src/json.ts';
import { startFaultyProxy } from './support/faulty-proxy.ts';

const failureOf = async (call: Promise<unknown>): Promise<PetStoreError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error as PetStoreError;
};

describe.each(anyEngine)('the client, on $name', (engine) => {
  const service = useService(engine, { intervalMs: 20 });
  const open = async (options: object = {}) => {
    const store = await service().openStore();
    return { ...store, client: createClient({ baseUrl: service().origin, key: store.key, ...options }) };
  };
  const openBehindProxy = async (options: object = {}) => {
    const proxy = await startFaultyProxy(service().port);
    return { ...(await open({ baseUrl: proxy.origin, retryDelay: 1, ...options })), proxy };
  };

  it('places, reads, ships, delivers and cancels', async () => {
    const { client } = await open();
    const pet = await client.pets.create({ name: 'Luna', category: 'cat', stock: 5 });
    const order = await client.orders.place({ petId: pet.id, quantity: 2, shipDate: '2030-01-02T03:04:05Z' });
    expect(order).toMatchObject({ petId: pet.id, status: 'pending', shipDate: '2030-01-02T03:04:05.000Z' });
    expect(typeof order.id).toBe('bigint');
    expect(await client.orders.ship(order.id)).toMatchObject({ id: order.id, status: 'shipped' });
    expect(await client.orders.deliver(Number(order.id))).toMatchObject({
      status: 'delivered',
      complete: true,
    });
    const history = await client.orders.history(order.id);
    expect(history.map(({ status }) => status)).toEqual(['pending', 'shipped', 'delivered']);
    const other = await client.orders.place({ petId: pet.id, quantity: 3 });
    expect(await client.orders.cancel(other.id)).toBeUndefined();
    expect(await client.orders.get(other.id)).toMatchObject({ status: 'cancelled' });
    expect(await client.pets.change(pet.id, { name: 'Lunara' })).toMatchObject({ name: 'Lunara', stock: 3 });
    const summary = await client.summary();
    expect(summary.orders).toMatchObject({ delivered: 11, cancelled: 1 });
    expect(summary.stock.at(-1)).toEqual({ petId: pet.id, stock: 3 });
    expect(typeof summary.revision).toBe('bigint');
  });

  it('a list is its first page, or iterates over all pages', async () => {
    const { client } = await open();
    const page = await client.orders.list({ limit: 15 });
    expect(page.data.map(({ id }) => id)).toEqual(Array.from({ length: 15 }, (_, at) => BigInt(at + 1)));
    expect((await page.next())?.data[0]?.id).toBe(16n);
    const all: bigint[] = [];
    for await (const { id } of client.orders.list({ limit: 7 })) all.push(id);
    expect(all).toEqual(Array.from({ length: 40 }, (_, at) => BigInt(at + 1)));
    const rest: bigint[] = [];
    for await (const { id } of page) rest.push(id);
    expect(rest).toEqual(all);
    for await (const order of client.orders.list({ status: ['shipped', 'delivered'], petId: 1, limit: 1 })) {
      expect(order).toMatchObject({ petId: 1n, status: expect.stringMatching(/shipped|delivered/) });
    }
    const pets = [];
    for await (const { name } of client.pets.list({ limit: 5 })) pets.push(name);
    expect(pets).toHaveLength(12);
  });

  it('the last requests are also a list, newest first', async () => {
    const { client } = await open();
    await client.pets.get(1);
    await failureOf(client.orders.get(999));
    await client.orders.get(2);
    // They are written shortly after their responses.
    while ((await client.requests()).data.length < 3) await new Promise((resolve) => setTimeout(resolve, 10));
    const seen = [];
    for await (const { path, status, error } of client.requests({ limit: 2 }))
      seen.push([path, status, error]);
    expect(seen).toEqual([
      ['/v2/store/orders/2', 200, null],
      ['/v2/store/orders/999', 404, 'not_found'],
      ['/v2/pets/1', 200, null],
    ]);
  });

  it('v1 has its four operations', async () => {
    const { client } = await open();
    const orders = await client.v1.listOrders();
    expect(orders).toHaveLength(40);
    expect(Object.keys(orders[0] ?? {})).toEqual(['id', 'petId', 'quantity', 'shipDate', 'complete']);
    expect(await client.v1.listPets()).toHaveLength(12);
    expect(await client.v1.getPet(1)).toMatchObject({ id: 1n });
    const { data } = await client.orders.list({ status: 'pending', limit: 1 });
    const id = data[0]?.id ?? 0n;
    await client.v1.cancelOrder(id);
    expect(await failureOf(client.v1.cancelOrder(id))).toBeInstanceOf(NotFoundError);
  });

  it('IDs beyond 2^53 are exact in both directions', async () => {
    const { client, storeId } = await open();
    const [below, above] = [2n ** 53n, 2n ** 53n + 1n];
    const most = 2n ** 63n - 1n;
    const rows = [below, above, most].map((id) => `(${storeId}, ${id}, 'Rex ${id}', 'dog', 9, 1)`);
    const columns = 'store_id, id, name, category, stock, revision';
    await service().database.exec(`INSERT INTO pets (${columns}) VALUES ${rows.join()}`);
    await insertOrders(service().database, { storeId }, [below, above]);
    expect(await client.orders.ship(above)).toMatchObject({ id: above });
    expect(await client.orders.get(below)).toMatchObject({ id: below, status: 'pending' });
    for (const id of [below, above, most]) {
      expect(await client.pets.get(id)).toMatchObject({ id, name: `Rex ${id}` });
      expect(await client.orders.place({ petId: id, quantity: 1 })).toMatchObject({ petId: id });
      expect((await client.orders.list({ petId: id })).data.map(({ petId }) => petId)).toEqual([id]);
    }
    await expect(client.pets.get(2 ** 53)).rejects.toThrow(TypeError);
  });

  it('an error has the class of its status, and the details that support needs', async () => {
    const { client, key } = await open();
    const missing = await failureOf(client.orders.get(987654321));
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing).toMatchObject({ code: 'not_found', status: 404, requestId: expect.any(String) });
    const short = client.orders.place({ petId: 1, quantity: 1000 });
    expect(await failureOf(short)).toBeInstanceOf(ConflictError);
    const unknown = client.orders.place({ petId: 999, quantity: 1 });
    expect(await failureOf(unknown)).toMatchObject({ code: 'unknown_pet', name: 'InvalidRequestError' });
    expect(await failureOf(client.orders.list({ limit: 0 }))).toBeInstanceOf(InvalidRequestError);
    const otherClient = createClient({ baseUrl: service().origin, key: `${key.slice(0, -1)}!` });
    expect(await failureOf(otherClient.v1.listPets())).toBeInstanceOf(AuthenticationError);
  });

  it('a placement whose response is lost is placed once', async () => {
    const { client, proxy } = await openBehindProxy();
    await using _ = proxy;
    const before = await client.pets.get(1);
    proxy.faults.push('lost-answer', 'drop', 'reset', 'garbage');
    const order = await client.orders.place({ petId: 1, quantity: 1 });
    expect(order.id).toBe(41n);
    expect((await client.orders.list({ status: 'pending', sort: '-id' })).data[0]?.id).toBe(41n);
    expect((await client.pets.get(1)).stock).toBe(before.stock - 1);
    expect(proxy.requests.filter((line) => line.startsWith('POST'))).toHaveLength(5);
  });

  it('no placement is duplicated or lost, whatever happens to its attempts', async () => {
    const { client, proxy } = await openBehindProxy({ retries: 12 });
    await using _ = proxy;
    const kinds = ['lost-answer', 'none', 'drop', 'truncate', 'unavailable', 'reset', 'garbage'] as const;
    const pet = await client.pets.create({ name: 'Rex', category: 'dog', stock: 1000 });
    for (let at = 0; at < 120; at += 1) proxy.faults.push(kinds[(at * at + at) % 7] ?? 'none');
    const quantities = Array.from({ length: 30 }, (_, at) => at + 1);
    const placed = await Promise.all(
      quantities.map((quantity) => client.orders.place({ petId: pet.id, quantity })),
    );
    proxy.faults.length = 0;
    const held = [];
    for await (const { id, quantity } of client.orders.list({ petId: pet.id })) held.push({ id, quantity });
    const expected = placed.map(({ id, quantity }) => ({ id, quantity }));
    expect(held).toEqual(expected.sort((a, b) => (a.id < b.id ? -1 : 1)));
    expect((await client.pets.get(pet.id)).stock).toBe(1000 - quantities.reduce((sum, each) => sum + each));
  });

  it('no cancel, ship or delivery is misreported, whatever happens to its attempts', async () => {
    const { client, proxy } = await openBehindProxy({ retries: 12 });
    await using _ = proxy;
    const kinds = [
      'lost-answer',
      'lost-answer',
      'drop',
      'truncate',
      'unavailable',
      'reset',
      'garbage',
    ] as const;
    const pet = await client.pets.create({ name: 'Rex', category: 'dog', stock: 1000 });
    const place = async () => (await client.orders.place({ petId: pet.id, quantity: 1 })).id;
    for (const first of kinds) {
      for (const second of kinds) {
        const ids = [await place(), await place(), await place()] as const;
        proxy.faults.push(first, second);
        await client.orders.cancel(ids[0]);
        proxy.faults.push(first, second);
        await client.v1.cancelOrder(ids[1]);
        proxy.faults.push(first, second);
        expect(await client.orders.ship(ids[2])).toMatchObject({ id: ids[2], status: 'shipped' });
        proxy.faults.push(first, second);
        expect(await client.orders.deliver(ids[2])).toMatchObject({ id: ids[2], status: 'delivered' });
        proxy.faults.length = 0;
        expect((await client.orders.get(ids[0])).status).toBe('cancelled');
        expect((await client.orders.get(ids[1])).status).toBe('cancelled');
      }
    }
  });

  it('a rejection stays a rejection when the response to its first attempt was lost', async () => {
    const { client, proxy } = await openBehindProxy();
    await using _ = proxy;
    const { data } = await client.orders.list({ status: 'shipped', limit: 1 });
    const shipped = data[0]?.id ?? 0n;
    for (const call of [
      () => client.orders.ship(shipped),
      () => client.orders.cancel(shipped),
      () => client.v1.cancelOrder(shipped),
    ]) {
      proxy.faults.push('lost-answer');
      expect(await failureOf(call())).toBeInstanceOf(ConflictError);
    }
    for (const call of [
      () => client.orders.ship(987654321),
      () => client.orders.cancel(987654321),
      () => client.v1.cancelOrder(987654321),
    ]) {
      proxy.faults.push('lost-answer');
      expect(await failureOf(call())).toBeInstanceOf(NotFoundError);
    }
  });

  it('a cancel without attempts left is looked up, too', async () => {
    const { client, proxy } = await openBehindProxy({ retries: 0 });
    await using _ = proxy;
    const { id } = await client.orders.place({ petId: 1, quantity: 1 });
    proxy.faults.push('lost-answer');
    await client.orders.cancel(id);
    proxy.faults.push('drop');
    const other = await client.orders.place({ petId: 1, quantity: 1 }).catch(() => undefined);
    expect(other).toBeUndefined();
  });

  it('a pet is not created twice: a request that may have arrived is not retried', async () => {
    const { client, proxy } = await openBehindProxy();
    await using _ = proxy;
    proxy.faults.push('lost-answer');
    const failure = await failureOf(client.pets.create({ name: 'Rex', category: 'only', stock: 1 }));
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(failure.mayBeDone).toBe(true);
    expect((await client.pets.list({ category: 'only' })).data).toHaveLength(1);
    proxy.faults.push('lost-answer');
    expect(await client.pets.change(1, { name: 'Rexina' })).toMatchObject({ name: 'Rexina' });
  });

  it('stops after its retries', async () => {
    const seen: { type: string; ms?: number }[] = [];
    const { client, proxy } = await openBehindProxy({ retries: 2, log: (entry: never) => seen.push(entry) });
    await using _ = proxy;
    proxy.faults.push('unavailable', 'unavailable', 'unavailable');
    const failure = await failureOf(client.v1.listPets());
    expect(failure).toBeInstanceOf(UnavailableError);
    expect(failure).toMatchObject({ code: 'unavailable', retryAfter: 0, status: 503 });
    expect(seen.map(({ type }) => type).join(' ')).toBe(
      'request failure retry request failure retry request failure',
    );
  });

  it('waits as long as the service asks, or stops at once if the call’s time does not allow it', async () => {
    const stopped = new AbortController();
    const waits: (number | undefined)[] = [];
    const log = ({ type, ms }: { type: string; ms?: number }) => {
      if (type !== 'retry') return;
      waits.push(ms);
      stopped.abort();
    };
    const { client, proxy } = await openBehindProxy({ log });
    await using _ = proxy;
    proxy.faults.push('busy', 'busy');
    expect(await failureOf(client.v1.listPets({ timeout: 29_000 }))).toMatchObject({ retryAfter: 30 });
    expect(waits).toEqual([]);
    await expect(client.v1.listPets({ signal: stopped.signal })).rejects.toThrow('abort');
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThanOrEqual(30_000);
    expect(proxy.requests).toHaveLength(2);
  });

  it('an attempt and a call have their own timeouts, and a signal aborts both', async () => {
    // For the client, time advances only when the test says so.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const seen: string[] = [];
    const until = async (condition: () => boolean) => {
      while (!condition()) await new Promise(setImmediate);
    };
    const log = ({ type }: { type: string }) => seen.push(type);
    const { client, proxy } = await openBehindProxy({ tryTimeout: 3_000, log });
    await using _ = proxy;
    proxy.faults.push('silence', 'none', 'silence', 'silence');
    const listed = client.v1.listPets();
    await until(() => proxy.requests.length === 1);
    await vi.advanceTimersByTimeAsync(2_999);
    expect(seen).toEqual(['request']);
    vi.advanceTimersByTime(1);
    await until(() => seen.includes('retry'));
    vi.advanceTimersByTime(1);
    expect(await listed).toHaveLength(12);
    const failure = failureOf(client.v1.listPets({ timeout: 2_000 }));
    await until(() => proxy.requests.length === 3);
    vi.advanceTimersByTime(2_000);
    expect(await failure).toBeInstanceOf(TimeoutError);
    expect(proxy.requests).toHaveLength(3);
    const reason = new Error('enough');
    const stopped = new AbortController();
    const call = client.v1.listPets({ signal: stopped.signal });
    stopped.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  it('errors and log entries never show the key', async () => {
    const shown: unknown[] = [];
    const { client, proxy, key } = await openBehindProxy({
      retries: 1,
      log: (entry: unknown) => shown.push(entry),
    });
    await using _ = proxy;
    proxy.faults.push('drop', 'garbage');
    shown.push(client, await failureOf(client.v1.listPets()), await failureOf(client.orders.get(999999)));
    const leaky = createClient({
      baseUrl: proxy.origin,
      key,
      retries: 0,
      fetch: (_url, init) => Promise.reject(new Error(`cannot send ${inspect(init)}`)),
    });
    shown.push(await failureOf(leaky.v1.listPets()));
    expect(shown.length).toBeGreaterThan(5);
    for (const each of shown) {
      expect(inspect(each, { depth: 9, showHidden: true })).not.toContain(key.slice(9));
      expect(String((each as Error).stack)).not.toContain(key.slice(9));
    }
    expect(() => createClient({ baseUrl: proxy.origin, key: `${key}\n` })).toThrow(/^key must be an API key/);
  });
});

describe('JSON', () => {
  const text =
    '{"id":9007199254740993,"petId":1,"name":"\\"9007199254740993","n":1234567890123456.5,"deep":[{"id":-5,"x":1e3,"y":0.3333333333333333,"z":12345678901234567890}]}';
  it.each([true, false])('is parsed with exact IDs (digits available from the runtime: %s)', (exact) => {
    expect(parseJson(text, exact)).toEqual({
      id: 9007199254740993n,
      petId: 1n,
      name: '"9007199254740993',
      n: 1234567890123456.5,
      deep: [{ id: -5n, x: 1000, y: 1 / 3, z: Number('12345678901234567890') }],
    });
    expect(parseJson('{"id":"9007199254740993"}', exact)).toEqual({ id: '9007199254740993' });
  });

  it('is serialized with exact IDs', () => {
    expect(
      writeJson({ id: 2n ** 63n - 1n, a: undefined, b: [1, undefined, null, 'x"'], c: { d: true } }),
    ).toBe('{"id":9223372036854775807,"b":[1,null,null,"x\\""],"c":{"d":true}}');
  });
});
