import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { checkConsistency } from '../../src/commands/check-consistency.ts';
import { everyCase } from '../support/effort.ts';
import { anyEngine, engines, postgres, sqlite } from '../support/engines.ts';
import { openSocket, parseResponse } from '../support/http.ts';
import { listOrders } from '../support/orders.ts';
import { readMetrics } from '../support/read-metrics.ts';
import { startService, type TestService, useService } from '../support/service.ts';
import { clientOf } from '../support/v2.ts';

const staging = { deployment: 'staging' } as const;
const json = { 'content-type': 'application/json' };

type Keyed = { key: string };

function reset(service: TestService, store: Keyed, body: object | string) {
  return clientOf(service, store)('POST /v2/sandbox/reset', { headers: json, body });
}

const fill = (service: TestService, store: Keyed, data: string) => reset(service, store, `{"data":${data}}`);

/** Everything that the lists of both versions and the summary say, but for the revision. */
async function seen(service: TestService, store: Keyed): Promise<string[]> {
  const client = clientOf(service, store);
  const responses = [
    await client('GET /v1/store/orders'),
    await client('GET /v1/pets'),
    await client('GET /v2/store/orders?limit=1000'),
    await client('GET /v2/pets?limit=1000'),
    await client('GET /v2/store/summary'),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  return responses.map(({ text }) => text.replace(/"nextCursor":"[^"]*"|"revision":\d+/, ''));
}

const ada = '{"id":5,"name":"Ada","category":"cat","stock":2}';
const withOrders = (orders: string) => `{"pets":[${ada}],"orders":[${orders}]}`;

describe.each(engines)('custom data on $name', (engine) => {
  const service = useService(engine, staging);

  it.each(['default', 'empty', 'int64'])(
    'exported from `%s` and loaded again gives the same lists',
    async (dataSet) => {
      const store = await service().openStore();
      await reset(service(), store, { dataSet });
      const client = clientOf(service(), store);
      if (dataSet === 'default')
        for (const call of ['DELETE 2', 'POST 4/ship', 'POST 6/ship', 'POST 6/deliver']) {
          const [method, path] = call.split(' ');
          expect((await client(`${method} /v2/store/orders/${path}`)).status).toBeLessThan(300);
        }
      const before = await seen(service(), store);
      const data = await client('GET /v2/sandbox/data');
      expect(data.status).toBe(200);
      const response = await fill(service(), store, data.text);
      expect(response.json()).toMatchObject({ dataSet: 'own', seed: null });
      expect(await seen(service(), store)).toEqual(before);
      expect((await client('GET /v2/sandbox/data')).text).toBe(data.text);
    },
  );

  it('with the largest stock can be exported and loaded after its orders were cancelled', async () => {
    const store = await service().openStore();
    const data = (stock: bigint) =>
      `{"pets":[{"id":5,"name":"Ada","category":"cat","stock":${stock}}],"orders":[{"id":1,"petId":5,"quantity":2},{"id":2,"petId":5,"quantity":1,"status":"cancelled"}]}`;
    const most = BigInt(Number.MAX_SAFE_INTEGER);
    const rejected = await fill(service(), store, data(most - 1n));
    expect([rejected.status, rejected.error().message]).toEqual([
      422,
      expect.stringContaining("'orders[0]' would bring the stock"),
    ]);
    expect((await fill(service(), store, data(most - 2n))).status).toBe(200);
    const client = clientOf(service(), store);
    expect((await client('DELETE /v2/store/orders/1')).status).toBe(204);
    const { text } = await client('GET /v2/sandbox/data');
    expect(text).toContain(`"stock":${most}`);
    expect((await fill(service(), store, text)).status).toBe(200);
  });

  it('gets defaults for omitted fields: IDs after the largest, `pending`, and dates', async () => {
    const store = await service().openStore();
    const orders =
      '{"id":9007199254740993,"petId":5,"quantity":3,"status":"shipped"},{"petId":5,"quantity":1}';
    expect((await fill(service(), store, withOrders(orders))).json()).toMatchObject({ pets: 1n, orders: 2n });
    const client = clientOf(service(), store);
    const { data } = (await client('GET /v2/store/orders')).json<{ data: Array<Record<string, unknown>> }>();
    expect(data.map(({ id, status }) => [id, status])).toEqual([
      [9007199254740993n, 'shipped'],
      [9007199254740994n, 'pending'],
    ]);
    const placed = await client('POST /v2/store/orders', { headers: json, body: '{"petId":5,"quantity":2}' });
    expect([placed.status, placed.json<{ id: bigint }>().id]).toEqual([201, 9007199254740995n]);
    const pet = await client('POST /v2/pets', { headers: json, body: '{"name":"Bo","category":"cat"}' });
    expect(pet.json<{ id: bigint }>().id).toBe(6n);
    const events = (await client('GET /v2/store/events')).json<{ data: Array<{ type: string }> }>();
    expect(events.data.map(({ type }) => type)).toEqual(['store.reset', 'order.placed', 'pet.created']);
    const history = await client('GET /v2/store/orders/9007199254740993/history');
    expect(history.json<{ data: Array<{ status: string }> }>().data.map(({ status }) => status)).toEqual([
      'pending',
      'shipped',
    ]);
  });

  it('with the largest IDs continues with free ones, without contradictions', async () => {
    const store = await service().openStore();
    const most = 2n ** 63n - 1n;
    const orders = `{"id":${most},"petId":5,"quantity":3},{"id":${most - 7n},"petId":5,"quantity":3},{"id":7,"petId":5,"quantity":1},{"petId":5,"quantity":1}`;
    await fill(service(), store, withOrders(orders));
    expect((await listOrders(service(), store)).map(({ id }) => id)).toEqual([7n, 8n, most - 7n, most]);
    const checked = await checkConsistency(service().deployment.db);
    expect(checked.flatMap(({ problems }) => problems)).toEqual([]);
  });

  // The rest is decided before any query.
  if (!anyEngine.includes(engine)) return;

  it.each([
    ['orders[1].petId', withOrders('{"petId":5,"quantity":1},{"petId":6,"quantity":1}')],
    ['orders[1].id', withOrders('{"id":7,"petId":5,"quantity":1},{"id":7,"petId":5,"quantity":1}')],
    ['pets[1].id', `{"pets":[${ada},${ada}],"orders":[]}`],
    ['pets[0].id', '{"pets":[{"id":0,"name":"a","category":"b","stock":1}],"orders":[]}'],
    ['pets[0].stock', '{"pets":[{"name":"a","category":"b","stock":-1}],"orders":[]}'],
    ['pets[0].name', '{"pets":[{"name":"","category":"b","stock":1}],"orders":[]}'],
    ['orders[0].quantity', withOrders('{"petId":5,"quantity":1001}')],
    ['orders[0].status', withOrders('{"petId":5,"quantity":1,"status":"lost"}')],
    ['orders[0].shipDate', withOrders('{"petId":5,"quantity":1,"shipDate":"2031-02-30T00:00:00Z"}')],
    [
      'orders[0].shipDate',
      withOrders(
        '{"petId":5,"quantity":1,"status":"shipped","placedAt":"2031-02-02T00:00:00Z","shipDate":"2031-02-01T00:00:00Z"}',
      ),
    ],
    ['orders[0].updatedAt', withOrders('{"petId":5,"quantity":1,"updatedAt":"2031-02-01T00:00:00Z"}')],
    [
      'orders[0].updatedAt',
      withOrders(
        '{"petId":5,"quantity":1,"status":"cancelled","placedAt":"2031-02-02T00:00:00Z","updatedAt":"2031-02-01T00:00:00Z"}',
      ),
    ],
  ])('422: %s is invalid, and nothing changes', async (place, data) => {
    const store = await service().openStore();
    const before = await seen(service(), store);
    const response = await fill(service(), store, data);
    expect([response.status, response.json<{ code: string }>().code]).toEqual([422, 'invalid_data']);
    expect(response.json<{ message: string }>().message).toContain(`'${place}'`);
    expect(await seen(service(), store)).toEqual(before);
  });
});

describe('custom data', () => {
  const service = useService(sqlite, staging);

  it.each([
    ['{}', { shipDate: '2031-03-07T00:00:00.000Z', placedAt: '2031-03-04T00:00:00.000Z' }],
    ['{"shipDate":"+3d"}', { shipDate: '2031-03-07T00:00:00.000Z', placedAt: '2031-03-04T00:00:00.000Z' }],
    [
      '{"shipDate":"-12h","placedAt":"-30m"}',
      { shipDate: '2031-03-03T12:00:00.000Z', placedAt: '2031-03-03T23:30:00.000Z' },
    ],
    ['{"shipDate":null,"placedAt":null}', { shipDate: '2031-03-07T00:00:00.000Z' }],
    ['{"shipDate":"2031-01-01T00:00:00Z"}', { shipDate: '2031-01-01T00:00:00.000Z' }],
    [
      '{"status":"delivered","shipDate":"-2d","updatedAt":"-1d"}',
      {
        shipDate: '2031-03-02T00:00:00.000Z',
        placedAt: '2031-03-02T00:00:00.000Z',
        updatedAt: '2031-03-03T00:00:00.000Z',
      },
    ],
  ])('with `today`: dates of %s are relative to that day', async (fields, expected) => {
    const store = await service().openStore();
    const order = { petId: 5, quantity: 1, ...JSON.parse(fields) };
    const data = JSON.parse(withOrders(JSON.stringify(order)));
    expect((await reset(service(), store, { today: '2031-03-04', data })).status).toBe(200);
    const {
      data: [placed],
    } = (await clientOf(service(), store)('GET /v2/store/orders')).json<{ data: object[] }>();
    expect(placed).toMatchObject(expected);
  });

  it('without `today`, relative dates start at 00:00 UTC of the current day', async () => {
    const now = Date.parse('2031-03-04T17:00:00Z');
    await using own = await startService(sqlite, { ...staging, now: () => now });
    const store = await own.openStore();
    await fill(own, store, withOrders('{"petId":5,"quantity":1,"shipDate":"+1d"}'));
    const {
      data: [placed],
    } = (await clientOf(own, store)('GET /v2/store/orders')).json<{ data: object[] }>();
    expect(placed).toMatchObject({
      shipDate: '2031-03-05T00:00:00.000Z',
      placedAt: '2031-03-04T17:00:00.000Z',
    });
  });

  it.each(['3d', '+3', '+3w', '+d', '+999999d', '3', ''])(
    '422: %j is not a relative date',
    async (shipDate) => {
      const store = await service().openStore();
      const response = await fill(
        service(),
        store,
        withOrders(JSON.stringify({ petId: 5, quantity: 1, shipDate })),
      );
      expect(response.json()).toMatchObject({ code: 'invalid_data', pointer: '/data/orders/0/shipDate' });
    },
  );

  it('422: a date beyond the year 9999', async () => {
    const store = await service().openStore();
    const data = JSON.parse(withOrders('{"petId":5,"quantity":1,"shipDate":"+99999d"}'));
    const response = await reset(service(), store, { today: '9998-12-31', data });
    expect(response.json()).toMatchObject({ code: 'invalid_data', status: 422n });
  });

  it.each([
    ['no object', '{"data":[]}'],
    ['no orders', '{"data":{"pets":[]}}'],
    ['an unknown field', '{"data":{"pets":[],"orders":[],"keys":[]}}'],
    [
      'an unknown field of a pet',
      '{"data":{"pets":[{"name":"a","category":"b","stock":1,"age":1}],"orders":[]}}',
    ],
    ['no stock', '{"data":{"pets":[{"name":"a","category":"b"}],"orders":[]}}'],
    ['text for a number', `{"data":${withOrders('{"petId":"5","quantity":1}')}}`],
    ['an id beyond 64 bits', `{"data":${withOrders('{"id":9223372036854775808,"petId":5,"quantity":1}')}}`],
    ['null for a pet', '{"data":{"pets":[null],"orders":[]}}'],
    ['a data set next to it', '{"dataSet":"empty","data":{"pets":[],"orders":[]}}'],
    ['a seed next to it', '{"seed":1,"data":{"pets":[],"orders":[]}}'],
    ['too many', `{"data":{"pets":[${'1,'.repeat(10_000)}1],"orders":[]}}`],
  ])('400: %s', async (_, body) => {
    const store = await service().openStore();
    const response = await reset(service(), store, body);
    expect([response.status, response.json<{ code: string }>().code]).toEqual([400, 'invalid_body']);
    expect(await listOrders(service(), store)).toHaveLength(40);
  });

  const dataOf = (many: number) => {
    const numbers = Array.from({ length: many }, (_, i) => i);
    const pets = numbers.map((i) => `{"name":"Pet ${i}","category":"cat","stock":${i}}`);
    const orders = numbers.map(
      (i) =>
        `{"id":${9007199254740993n + BigInt(i)},"petId":${i + 1},"quantity":2,"status":"delivered","shipDate":"2026-10-01T00:00:00Z","updatedAt":"2026-12-01T08:00:00.000Z"}`,
    );
    return `{"pets":[${pets}],"orders":[${orders}]}`;
  };
  const largest = dataOf(10_000);

  it.each([
    // More than one transaction creates.
    { engine: sqlite, many: everyCase ? 10_000 : 1_001 },
    { engine: postgres, many: everyCase ? 10_000 : 1_001 },
  ])('with $many of each on $engine.name: created, and exported the same', async ({ engine, many }) => {
    await using own = await startService(engine, staging);
    const store = await own.openStore();
    const response = await fill(own, store, dataOf(many));
    expect(response.json()).toMatchObject({ orders: BigInt(many), pets: BigInt(many) });
    const data = await clientOf(own, store)('GET /v2/sandbox/data');
    expect((await fill(own, store, data.text)).status).toBe(200);
    expect((await clientOf(own, store)('GET /v2/sandbox/data')).text).toBe(data.text);
    const summary = (await clientOf(own, store)('GET /v2/store/summary')).json<{ orders: object }>();
    expect(summary.orders).toMatchObject({ delivered: BigInt(many), pending: 0n });
  });

  it('with one error at the end of megabytes is rejected completely', async () => {
    const store = await service().openStore();
    const last = largest.replace(/"petId":10000,/, '"petId":10001,');
    const response = await fill(service(), store, last);
    expect([response.status, response.json<{ message: string }>().message]).toEqual([
      422,
      expect.stringContaining("'orders[9999].petId'"),
    ]);
    expect(await listOrders(service(), store)).toHaveLength(40);
  });

  it.each([
    ['an item that is missing', 400, (text: string) => text.replace('},{', '},,{')],
    ['a comma at the end', 400, (text: string) => text.replace('}],"orders"', '},],"orders"')],
    ['another bracket', 400, (text: string) => text.replace('}],"orders"', '}},"orders"')],
    ['no end', 400, (text: string) => text.slice(0, -1)],
    ['something behind the end', 400, (text: string) => `${text}]`],
    ['a field twice', 400, (text: string) => text.replace('"orders":', '"pets":[],"orders":')],
    ['a field of an item twice', 400, (text: string) => text.replace('"stock":0', '"stock":0,"stock":0')],
    ['one item of a list too many', 400, (text: string) => text.replace('[{', '[{},{')],
    ['a megabyte in an item', 400, (text: string) => text.replace('Pet 0', 'x'.repeat(1e6))],
    ['a megabyte next to its lists', 400, (text: string) => text.replace('{', `{"${'x'.repeat(1e6)}":1,`)],
    ['more than four megabytes', 413, (text: string) => `${text}${' '.repeat(4 * 1024 * 1024)}`],
  ])('of megabytes with %s is rejected', async (_, status, broken) => {
    const store = await service().openStore();
    const response = await reset(service(), store, broken(`{"data":${largest}}`));
    expect(response.status).toBe(status);
    expect(await listOrders(service(), store)).toHaveLength(40);
  });

  it('that arrives slowly, for any number of stores, delays no other; beyond a byte limit it is 503', async () => {
    const inFlight = { perOwner: 8 * 1024 * 1024, overall: 64 * 1024 * 1024 };
    await using own = await startService(sqlite, { ...staging, connections: { inFlight } });
    const stores = await Promise.all(Array.from({ length: 9 }, () => own.openStore()));
    const begin = async ({ key }: Keyed, sent: number) => {
      const socket = await openSocket(own.port);
      const head = `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 4000000`;
      socket.write(`POST /v2/sandbox/reset HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n{${' '.repeat(sent)}`);
      return socket;
    };
    const sockets = await Promise.all([...stores, ...stores].map((store) => begin(store, 100_000)));
    const arriving = async () => (await readMetrics(own.request)).get('petstore_bytes_in_flight') ?? 0;
    await expect.poll(arriving).toBeGreaterThan(1_000_000);
    expect((await fill(own, stores[0] as Keyed, largest)).status).toBe(200);
    const long = await Promise.all([1, 2, 3].map(() => begin(stores[1] as Keyed, 3_900_000)));
    const [first] = await Promise.race(long.map((socket) => once(socket, 'data')));
    expect(parseResponse(first as Buffer)).toMatchObject({ status: 503 });
    for (const socket of [...sockets, ...long]) socket.destroy();
    await expect.poll(arriving).toBe(0);
  });

  it('may be large for these operations only: any other takes 64 KB', async () => {
    const store = await service().openStore();
    const response = await clientOf(service(), store)('POST /v2/pets', {
      headers: json,
      body: ' '.repeat(70_000),
    });
    expect(response.status).toBe(413);
  });

  it('409: an export of more than 10,000 orders', async () => {
    const store = await service().openStore();
    await reset(service(), store, { dataSet: 'large', orders: 10_001 });
    const response = await clientOf(service(), store)('GET /v2/sandbox/data');
    expect([response.status, response.json<{ code: string }>().code]).toEqual([409, 'too_much_data']);
  });

  it('409: more than a store may have', async () => {
    await using own = await startService(sqlite, { ...staging, quotas: { pets: 1n, orders: 1n } });
    const store = await own.openStore();
    const order = '{"petId":5,"quantity":1}';
    expect((await fill(own, store, withOrders(`${order},${order}`))).json()).toMatchObject({
      code: 'order_limit_reached',
    });
    const two = await fill(own, store, `{"pets":[${ada},${ada.replace('5', '6')}],"orders":[]}`);
    expect([two.status, two.error().code]).toEqual([409, 'pet_limit_reached']);
    expect(await listOrders(own, store)).toHaveLength(40);
    const last = 2n ** 63n - 1n;
    const withLargeIds = `{"pets":[{"id":${last},"name":"Ada","category":"cat","stock":2}],"orders":[{"id":${last},"petId":${last},"quantity":1}]}`;
    for (const [petId, data] of [[5n, withOrders(order)] as const, [last, withLargeIds] as const]) {
      expect((await fill(own, store, data)).status).toBe(200);
      const client = clientOf(own, store);
      const body = `{"petId":${petId},"quantity":1}`;
      const placed = await client('POST /v2/store/orders', { headers: json, body });
      expect(placed.json()).toMatchObject({ code: 'order_limit_reached' });
      const added = await client('POST /v2/pets', { body: { name: 'Rex', category: 'dog' } });
      expect(added.json()).toMatchObject({ code: 'pet_limit_reached' });
    }
  });
});
