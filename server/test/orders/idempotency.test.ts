import { describe, expect, it } from 'vitest';
import { v2Document } from '../../src/api/v2-document.ts';
import { engines } from '../support/engines.ts';
import { startService, useService } from '../support/service.ts';
import {
  allOrders,
  type Client,
  clientOf,
  etagOf,
  type Order,
  openClient,
  type Pet,
  type Response,
} from '../support/v2.ts';

const DAY = 86_400_000;

function placing(client: Client) {
  return (key: string, body: object = { petId: 5, quantity: 1 }) =>
    client('POST /v2/store/orders', { body, headers: { 'idempotency-key': key } });
}

describe.each(engines)('Idempotency-Key on $name', (engine) => {
  let clock = Date.parse('2026-11-20T08:00:00Z');
  const service = useService(engine, { now: () => clock });

  it('201: the same key and body replays the first response without placing an order', async () => {
    const { client } = await openClient(service());
    const place = placing(client);
    const first = await place('a');
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined]);
    await client(`POST ${first.headers.location}/ship`);
    const before = await etagOf(client);
    const again = await place('a');
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect([again.text, again.headers.location]).toEqual([first.text, first.headers.location]);
    expect(await etagOf(client)).toBe(before);
    expect(await allOrders(client)).toHaveLength(41);
  });

  it('201: the same body in any JSON form is the same request', async () => {
    const { client } = await openClient(service());
    const send = (body: string) =>
      client('POST /v2/store/orders', { body, headers: { 'idempotency-key': 'b' } });
    const first = await send('{"petId":5,"quantity":1,"shipDate":"2027-01-01T00:00:00Z"}');
    const again = await send('{ "shipDate": "2027-01-01T01:00:00.000+01:00", "quantity": 1, "petId": 5 }');
    expect([again.status, again.text]).toEqual([201, first.text]);
  });

  it('422 idempotency_key_reused: the same key with another body, and nothing changes', async () => {
    const { client } = await openClient(service());
    const place = placing(client);
    await place('c');
    const before = await etagOf(client);
    for (const body of [
      { petId: 5, quantity: 2 },
      { petId: 6, quantity: 1 },
      { petId: 5, quantity: 1, shipDate: '2027-01-01T00:00:00Z' },
      { petId: 51, quantity: 1 },
    ]) {
      const response = await place('c', body);
      expect(response.error()).toMatchObject({ code: 'idempotency_key_reused', status: 422n });
      expect(response.headers['idempotent-replayed']).toBeUndefined();
    }
    expect(await etagOf(client)).toBe(before);
    expect((await place('c')).status).toBe(201);
  });

  it('a rejection is replayed, too, even if the order would succeed now', async () => {
    const { client } = await openClient(service());
    const place = placing(client);
    const rejected = await place('d', { petId: 12, quantity: 1 });
    expect(rejected.error().code).toBe('insufficient_stock');
    await client('PATCH /v2/pets/12', { body: { stock: 5 } });
    const again = await place('d', { petId: 12, quantity: 1 });
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([rejected.text, 'true']);
    const unknown = await place('e', { petId: 13, quantity: 1 });
    expect(unknown.error().code).toBe('unknown_pet');
    const { id } = (
      await client('POST /v2/pets', { body: { name: 'a', category: 'b', stock: 1 } })
    ).json<Pet>();
    expect(id).toBe(13n);
    const unknownAgain = await place('e', { petId: 13, quantity: 1 });
    expect([unknownAgain.text, unknownAgain.headers['idempotent-replayed']]).toEqual([unknown.text, 'true']);
    const documented = v2Document.paths['/store/orders']?.post?.responses;
    for (const { status } of [again, unknownAgain])
      expect(documented?.[status]).toMatchObject({ headers: { 'Idempotent-Replayed': {} } });
  });

  it('an invalid order is not stored under its key', async () => {
    const { client } = await openClient(service());
    const place = placing(client);
    expect((await place('f', { petId: 5, quantity: 0 })).status).toBe(400);
    expect((await place('f')).headers['idempotent-replayed']).toBeUndefined();
  });

  it('is stored for 24 hours and not a millisecond longer', async () => {
    const { client } = await openClient(service());
    const place = placing(client);
    const first = await place('g');
    clock += DAY - 1;
    expect((await place('g')).text).toBe(first.text);
    clock += 1;
    const later = await place('g', { petId: 6, quantity: 2 });
    expect([later.status, later.headers['idempotent-replayed']]).toEqual([201, undefined]);
    clock += 1;
    expect((await place('g', { petId: 6, quantity: 2 })).text).toBe(later.text);
  });

  it('is separate for each store', async () => {
    const [one, other] = [await openClient(service()), await openClient(service())];
    await placing(one.client)('h');
    const response = await placing(other.client)('h', { petId: 6, quantity: 2 });
    expect([response.status, response.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  it('400 invalid_parameter: empty, too long, or not plain text', async () => {
    const { client } = await openClient(service());
    const before = await etagOf(client);
    for (const key of ['', 'x'.repeat(256), 'caf\u00e9', 'a\tb']) {
      const response = await placing(client)(key);
      expect([key, response.status, response.error().code]).toEqual([key, 400, 'invalid_parameter']);
      expect(response.error().message).toContain('Idempotency-Key');
    }
    expect(await etagOf(client)).toBe(before);
    for (const key of ['x'.repeat(255), '!', '"quoted"', "'; DROP TABLE orders; --", '%00', '\\']) {
      expect([key, (await placing(client)(key)).status]).toEqual([key, 201]);
    }
  });

  it('409 idempotency_key_in_use: while the first request is in progress', async () => {
    const { client } = await openClient(service());
    const place = placing(client);
    const held = await service().database.holdWriters();
    // The network decides which arrives first: the other one gets 409.
    const both = [place('i'), place('i')];
    const rejected = await Promise.race(both);
    expect(rejected.error()).toMatchObject({ code: 'idempotency_key_in_use', status: 409n });
    await held[Symbol.asyncDispose]();
    const placed = (await Promise.all(both)).find((response) => response !== rejected) as Response;
    expect(placed.status).toBe(201);
    expect((await place('i')).text).toBe(placed.text);
  });

  it('places one order for many concurrent requests, on two replicas', async () => {
    const { client, store } = await openClient(service());
    await using replica = await startService(engine, { database: service().database, now: () => clock });
    const clients = [placing(client), placing(clientOf(replica, store))];
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, i) => (clients[i % 2] as (typeof clients)[number])(`key ${i % 5}`)),
    );
    expect([...service().log, ...replica.log].filter((line) => line.includes('internal_error'))).toEqual([]);
    // Whether any of them meets another under way is for the network to say.
    const placed = responses.filter(({ status }) => status === 201);
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expect(response.error()).toMatchObject({ code: 'idempotency_key_in_use', status: 409n });
    }
    expect(new Set(placed.map(({ text }) => text)).size).toBe(5);
    expect(placed.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(5);
    const orders = await allOrders(client);
    expect(orders).toHaveLength(45);
    expect((await client('GET /v2/pets/5')).json<Pet>().stock).toBe(115n);
    expect(orders.slice(40).map(({ id }) => id)).toEqual(
      placed
        .map((response) => response.json<Order>().id)
        .filter((id, i, all) => all.indexOf(id) === i)
        .sort((a, b) => Number(a - b)),
    );
  });
});
