import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { engines, sqlite } from '../support/engines.ts';
import { readEvents } from '../support/event-reader.ts';
import { openSocket } from '../support/http.ts';
import { insertPet } from '../support/pets.ts';
import { startService, useService } from '../support/service.ts';
import { clientOf, type Order, type Page, type Pet } from '../support/v2.ts';

interface Event {
  id: string;
  type: string;
  at: string;
  data: Order | Pet;
}

describe.each(engines)('events on $name', (engine) => {
  const service = useService(engine);

  /** The life of an order and of a pet, with the API's response at each step. */
  async function somethingHappens(client: ReturnType<typeof clientOf>) {
    const pet = (
      await client('POST /v2/pets', { body: { name: 'Rex', category: 'dog', stock: 9 } })
    ).json<Pet>();
    const place = async () =>
      (
        await client('POST /v2/store/orders', {
          body: { petId: Number(pet.id), quantity: 2, shipDate: '2027-01-02T03:04:05Z' },
        })
      ).json<Order>();
    const placed = await place();
    const shipped = (await client(`POST /v2/store/orders/${placed.id}/ship`)).json<Order>();
    const changed = (await client(`PATCH /v2/pets/${pet.id}`, { body: { name: 'Max' } })).json<Pet>();
    const delivered = (await client(`POST /v2/store/orders/${placed.id}/deliver`)).json<Order>();
    const second = await place();
    await client(`DELETE /v2/store/orders/${second.id}`);
    const cancelled = (await client(`GET /v2/store/orders/${second.id}`)).json<Order>();
    await client(`PATCH /v2/pets/${pet.id}`, { body: { stock: 0 } });
    return [
      ['pet.created', pet],
      ['order.placed', placed],
      ['order.shipped', shipped],
      ['pet.changed', changed],
      ['order.delivered', delivered],
      ['order.placed', second],
      ['order.cancelled', cancelled],
      ['pet.changed', { ...changed, stock: 0n, status: 'sold' }],
    ] as const;
  }

  it('show each change once, in order, with the order or pet at that time', async () => {
    const store = await service().openStore();
    const client = clientOf(service(), store);
    const happened = await somethingHappens(client);
    const { data, nextCursor } = (await client('GET /v2/store/events')).json<Page<Event>>();
    expect(nextCursor).toBeNull();
    expect(data.map(({ type, data }) => [type, data])).toEqual(happened);
    expect(data.every((event) => Object.keys(event).join() === 'id,type,at,data')).toBe(true);
    expect(data.every(({ at }) => /^\d{4}-.*\.\d{3}Z$/.test(at))).toBe(true);
    const ids = data.map(({ id }) => BigInt(id));
    expect(ids).toEqual([...ids].sort((a, b) => (a < b ? -1 : 1)));
  });

  it('come in pages that concatenate to the stream, byte for byte', async () => {
    const store = await service().openStore();
    const client = clientOf(service(), store);
    await somethingHappens(client);
    const seen: string[] = [];
    for (let after: string | null = '0'; after !== null; ) {
      const response = await client(`GET /v2/store/events?limit=3&after=${after}`);
      const body = response.bytes.toString();
      const { data, nextCursor } = JSON.parse(body) as Page<Event>;
      expect(data.length).toBeLessThanOrEqual(3);
      seen.push(...body.slice('{"data":['.length, body.lastIndexOf('],"nextCursor"')).split(/,(?=\{"id":")/));
      expect(response.headers.link).toBe(
        nextCursor === null ? undefined : `</v2/store/events?limit=3&after=${nextCursor}>; rel="next"`,
      );
      after = nextCursor;
    }
    using reader = await readEvents(service(), { key: store.key, after: '0' });
    const events = await reader.waitForEvents(seen.length);
    expect(events.map(({ text }) => text)).toEqual(seen);
    expect(events.map(({ id, type }) => ({ id, type }))).toEqual(
      seen.map((text) => JSON.parse(text)).map(({ id, type }) => ({ id, type })),
    );
  });

  it('stream new changes and resume after a given ID', async () => {
    const store = await service().openStore();
    const client = clientOf(service(), store);
    await client('POST /v2/pets', { body: { name: 'before', category: 'dog' } });
    using reader = await readEvents(service(), { key: store.key });
    const { headers, statusCode } = reader.response;
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(headers['content-encoding']).toBeUndefined();
    for (const name of ['one', 'two', 'three'])
      await client('POST /v2/pets', { body: { name, category: 'dog' } });
    const events = await reader.waitForEvents(3);
    expect(events.map(({ text }) => JSON.parse(text).data.name)).toEqual(['one', 'two', 'three']);

    using resumed = await readEvents(service(), {
      key: store.key,
      after: '0',
      lastEventId: events[0]?.id,
    });
    expect(await resumed.waitForEvents(2)).toEqual(events.slice(1));
  });

  it('give a new reader the id to resume from', async () => {
    const store = await service().openStore();
    const client = clientOf(service(), store);
    const reader = await readEvents(service(), { key: store.key });
    while (reader.lastId === undefined) await pause(5);
    reader[Symbol.dispose]();
    await client('POST /v2/pets', { body: { name: 'meanwhile', category: 'dog' } });
    using resumed = await readEvents(service(), { key: store.key, lastEventId: reader.lastId });
    expect(JSON.parse((await resumed.waitForEvents(1))[0]?.text ?? '').data.name).toBe('meanwhile');
  });

  it('never include another store’s', async () => {
    const [mine, other] = [await service().openStore(), await service().openStore()];
    using reader = await readEvents(service(), { key: mine.key, after: '0' });
    await clientOf(service(), other)('DELETE /v2/store/orders/1');
    await clientOf(service(), other)('POST /v2/pets', { body: { name: 'theirs', category: 'dog' } });
    await clientOf(service(), mine)('POST /v2/pets', { body: { name: 'mine', category: 'dog' } });
    const [first] = await reader.waitForEvents(1);
    expect(JSON.parse(first?.text ?? '').data.name).toBe('mine');
  });

  it('reject invalid parameters, and HEAD opens no stream', async () => {
    const store = await service().openStore();
    const client = clientOf(service(), store);
    for (const query of ['after=x', 'after=-1', 'after=01', 'limit=0', 'limit=1001', 'cursor=1']) {
      const response = await client(`GET /v2/store/events?${query}`);
      expect([response.status, response.error().code], query).toEqual([400, 'invalid_parameter']);
    }
    for (const [query, headers] of [
      ['', { 'last-event-id': 'abc' }],
      ['?after=x', {}],
      ['?limit=1', {}],
    ] as const) {
      const response = await client(`GET /v2/store/events/stream${query}`, { headers });
      expect([response.status, response.error().code], query).toEqual([400, 'invalid_parameter']);
    }
    const head = await client('HEAD /v2/store/events/stream');
    expect([head.status, head.headers['content-type'], head.bytes.length]).toEqual([
      200,
      'text/event-stream',
      0,
    ]);
    const rejected = await client('GET /v2/store/events/stream', { key: 'nobody' });
    expect(rejected.status).toBe(401);
  });

  it('return a page if a page is requested, whatever is accepted', async () => {
    const client = clientOf(service(), await service().openStore());
    const page = await client('GET /v2/store/events', { headers: { accept: 'text/event-stream' } });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'application/json']);
    const stream = await client('HEAD /v2/store/events/stream', { headers: { accept: 'application/json' } });
    expect(stream.headers['content-type']).toBe('text/event-stream');
  });
});

describe.each(engines)('streams on $name', (engine) => {
  const service = useService(engine, { streams: { heartbeatMs: 50, maxPerTenant: 3 } });

  it('send heartbeats when idle', async () => {
    const store = await service().openStore();
    using reader = await readEvents(service(), { key: store.key });
    while (reader.comments < 4) await pause(5);
    expect(reader.events).toEqual([]);
  });

  it('end when their key is revoked or expires', async () => {
    for (const end of ['revoked_at', 'expires_at']) {
      const store = await service().openStore();
      using reader = await readEvents(service(), { key: store.key });
      await service().database.exec(`UPDATE keys SET ${end} = 1 WHERE id = '${store.keyId}'`);
      await reader.ended;
    }
  });

  it('are limited per store until one is closed', async () => {
    const store = await service().openStore();
    const open = () => readEvents(service(), { key: store.key });
    const readers = [await open(), await open(), await open()];
    using rejected = await open();
    expect(rejected.response.statusCode).toBe(429);
    expect(rejected.response.headers['retry-after']).toBe('10');
    readers[0]?.[Symbol.dispose]();
    for (;;) {
      using again = await open();
      if (again.response.statusCode === 200) break;
    }
    for (const reader of readers) reader[Symbol.dispose]();
  });

  it('follow their key to the store that a reset creates', async () => {
    const store = await service().openStore();
    const client = clientOf(service(), store);
    await client('POST /v2/pets', { body: { name: 'old', category: 'dog' } });
    using open = await readEvents(service(), { key: store.key });
    const [{ revision }] = (await service().database.rows(
      `SELECT revision FROM stores WHERE id = ${store.storeId}`,
    )) as [{ revision: bigint }];
    const fresh = await service().openStore();
    const { database, deployment } = service();
    await database.exec(`
      INSERT INTO changes (store_id, revision, at, type)
        VALUES (${fresh.storeId}, ${revision + 1n}, 5, 'store.reset');
      UPDATE stores SET revision = ${revision + 1n} WHERE id = ${fresh.storeId};
      UPDATE keys SET store_id = ${fresh.storeId} WHERE store_id = ${store.storeId};
      UPDATE stores SET closed_at = 5 WHERE id = ${store.storeId}`);
    await insertPet(deployment.writer, fresh.storeId);
    using late = await readEvents(service(), { key: store.key, after: '0' });
    for (const reader of [open, late]) {
      const events = await reader.waitForEvents(2);
      expect(events.map(({ type }) => type)).toEqual(['store.reset', 'pet.created']);
      expect(events[0]?.text).toBe(
        `{"id":"${revision + 1n}","type":"store.reset","at":"1970-01-01T00:00:00.005Z","data":{}}`,
      );
    }
  });

  it('of readers that stop reading are closed, with bounded buffers', async () => {
    const sockets: Socket[] = [];
    await using own = await startService(engine, {
      streams: { heartbeatMs: 50 },
      connections: { timeoutMs: 1_200 },
      prepare: (app) => app.server.on('connection', (socket) => sockets.push(socket)),
    });
    const store = await own.openStore();
    const [{ revision }] = (await own.database.rows(
      `SELECT revision FROM stores WHERE id = ${store.storeId}`,
    )) as [{ revision: bigint }];
    await own.database.exec(`
      INSERT INTO changes (store_id, revision, at, type, pet_id, name, category, stock)
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 40000)
      SELECT ${store.storeId}, ${revision} + n, 0, 'pet.created', n, '${'x'.repeat(400)}', 'dog', 1 FROM numbers;
      UPDATE stores SET revision = ${revision + 40_000n} WHERE id = ${store.storeId}`);
    const stalled = [1, 2, 3].map(() => connect(own.port, '127.0.0.1'));
    for (const socket of stalled) {
      socket.on('error', () => {}).pause();
      socket.write(
        `GET /v2/store/events/stream?after=0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${store.key}\r\n\r\n`,
      );
    }
    let most = 0;
    while (sockets.filter((socket) => socket.destroyed).length < 3) {
      for (const { writableLength } of sockets) most = Math.max(most, writableLength);
      await new Promise(setImmediate);
    }
    expect(most).toBeLessThan(512 * 1024);
    for (const socket of stalled) socket.destroy();
    const metrics = async () => (await own.request('GET /metrics')).text;
    await expect.poll(metrics).toMatch(/^petstore_event_streams_open\{.*\} 0$/m);
  });
});

it('streams send a heartbeat every 15 seconds, and a store has 100 of them, by default', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  await using service = await startService(sqlite);
  const { key } = await service.openStore();
  const readers = await Promise.all(Array.from({ length: 101 }, () => readEvents(service, { key })));
  const open = readers.filter(({ response }) => response.statusCode === 200);
  const rejected = readers.filter(({ response }) => response.statusCode === 429);
  expect([open.length, rejected.length]).toEqual([100, 1]);
  const silent = (count: number) => () => open.filter(({ comments }) => comments < count).length;
  await expect.poll(silent(1), { timeout: 60_000 }).toBe(0);
  vi.advanceTimersByTime(15_000);
  await expect.poll(silent(2), { timeout: 60_000 }).toBe(0);
  for (const reader of readers) reader[Symbol.dispose]();
});

describe.each(engines)('when the service on $name stops', (engine) => {
  it('its streams end as complete responses', async () => {
    await using service = await startService(engine);
    const store = await service.openStore();
    const reader = await readEvents(service, { key: store.key });
    await Promise.all([service.app.close(), reader.ended]);
    expect(reader.response.complete).toBe(true);
  });

  it('a stream requested meanwhile ends at once, as a complete response', async () => {
    await using service = await startService(engine, { connections: { graceMs: 1e9 } });
    const store = await service.openStore();
    const other = await openSocket(service.port);
    const closed = service.app.close(1e9);
    const reader = await readEvents(service, { key: store.key });
    await reader.ended;
    expect(reader.response.complete).toBe(true);
    other.destroy();
    await closed;
  });
});
