import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import {
  ensure,
  equal,
  expectError,
  expectNoBody,
  expectNoHeader,
  expectSameBody,
  expectStatus,
  headerOf,
} from '../../expect.ts';
import type { Response } from '../../http.ts';
import { openTemporaryStore } from '../../temporary-store.ts';
import { objectOf, pageOf } from '../../v2.ts';
import { revisionOf } from './events.ts';
import { stagingSection } from './sandbox.ts';

export function ownStoreChecks(suite: Suite, context: Context): void {
  dataChecks(suite, context);
  storeChecks(suite, context);
}

function dataChecks(suite: Suite, context: Context): void {
  const title = 'custom data';
  const { check } = stagingSection(suite, context, 'own-data', title, 'get /sandbox/data');
  const { v2, client } = context.staging ?? context;
  const restoreAtEnd = once(async () =>
    v2.onCleanUp(() => v2.send('POST', '/sandbox/reset', '{"dataSet":"default"}')),
  );
  const fill = async (data: string) => {
    await restoreAtEnd();
    return v2.send('POST', '/sandbox/reset', `{"data":${data}}`);
  };
  const list = (path: string) => client.send({ path });

  check('round-trip', '`GET /sandbox/data`, sent back as `data`, gives the same lists', async () => {
    const before = [await list('/store/orders'), await list('/pets')];
    const { items } = await v2.walk('/store/orders?limit=1000');
    const response = await v2.get('/sandbox/data');
    expectStatus(response, 200);
    const { dataSet, seed } = objectOf(await fill(response.text));
    equal([dataSet, seed], ['own', null], '`dataSet` and `seed`');
    expectSameBody(await list('/store/orders'), before[0] as Response);
    expectSameBody(await list('/pets'), before[1] as Response);
    const statuses = (orders: typeof items) => orders.map(({ id, status }) => [id, status]);
    equal(statuses((await v2.walk('/store/orders?limit=1000')).items), statuses(items), 'the orders');
  });
  check(
    'counted-on',
    'omitted IDs continue the sequence, `pending` is the default, `stock` is unchanged',
    async () => {
      const pets = '[{"id":5,"name":"Ada","category":"cat","stock":2}]';
      const orders =
        '[{"id":9007199254740993,"petId":5,"quantity":3,"status":"shipped"},{"petId":5,"quantity":1}]';
      const summary = objectOf(await fill(`{"pets":${pets},"orders":${orders}}`));
      equal([summary.pets, summary.orders], [1n, 2n], '`pets` and `orders`');
      const { items } = await v2.walk('/store/orders');
      equal(
        items.map(({ id, status }) => [id, status]),
        [
          [9007199254740993n, 'shipped'],
          [9007199254740994n, 'pending'],
        ],
        'the orders',
      );
      equal(await v2.stockOf(5n), 2n, 'the stock');
    },
  );
  check(
    'exact',
    'every given value of `data` is returned: in orders, histories, pets and exported data',
    async () => {
      const pets = [
        { id: 3, name: 'Zo\u00eb', category: 'cat', stock: 0 },
        { id: 8, name: 'Rex', category: 'dog', stock: 7 },
      ];
      const [placedAt, shipDate, updatedAt] = ['2031-01-02', '2031-02-03', '2031-03-04'].map(
        (day) => `${day}T04:05:06.789Z`,
      );
      const orders = ['pending', 'shipped', 'delivered', 'cancelled'].map((status, at) => ({
        id: 11 + at * 2,
        petId: at % 2 === 0 ? 3 : 8,
        quantity: at + 1,
        shipDate,
        status,
        placedAt,
        ...(['delivered', 'cancelled'].includes(status) && { updatedAt }),
      }));
      expectStatus(await fill(JSON.stringify({ pets, orders })), 200);
      const withNumbers = (value: unknown) =>
        JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one)));
      equal(
        withNumbers(objectOf(await v2.get('/sandbox/data'))),
        { pets, orders },
        'the data',
        'GET /sandbox/data',
      );
      const expectedOrders = orders.map(({ id, petId, quantity, status, ...order }) => ({
        id,
        petId,
        quantity,
        shipDate,
        complete: status === 'delivered',
        status,
        placedAt,
        updatedAt: order.updatedAt ?? (status === 'pending' ? placedAt : shipDate),
      }));
      equal(withNumbers((await v2.walk('/store/orders')).items), expectedOrders, 'the orders');
      const steps = {
        pending: [],
        shipped: [shipDate],
        delivered: [shipDate, updatedAt],
        cancelled: [updatedAt],
      };
      for (const { id, status } of orders) {
        const names = status === 'delivered' ? ['shipped', 'delivered'] : [status];
        const later = steps[status as keyof typeof steps].map((at, index) => ({ status: names[index], at }));
        const { data } = objectOf(await v2.get(`/store/orders/${id}/history`));
        equal(
          data,
          [{ status: 'pending', at: placedAt }, ...later],
          'the history',
          `GET /store/orders/${id}/history`,
        );
      }
      const listed = pets.map(({ stock, ...pet }) => ({
        ...pet,
        status: stock === 0 ? 'sold' : 'available',
        stock,
      }));
      equal(withNumbers((await v2.walk('/pets')).items), listed, 'the pets');
      const { id } = await v2.place(8n);
      equal([id, await v2.newPet(0)], [18n, 9n], 'the next ids');
      equal(
        pageOf(await v2.get('/store/events?after=0')).data.map(({ type }) => type),
        ['store.reset', 'order.placed', 'pet.created'],
        'the events',
      );
    },
  );
  check('invalid', 'invalid data is 422 `invalid_data` with its location, and changes nothing', async () => {
    const before = await revisionOf(v2);
    const pets = '"pets":[{"id":1,"name":"Ada","category":"cat","stock":2}]';
    const pet = '{"id":1,"name":"Ada","category":"cat","stock":2}';
    /** A delivered order, placed on 2031-01-02. */
    const delivered = (shipDate: string, updatedAt: string) =>
      `{"petId":1,"quantity":1,"status":"delivered","placedAt":"2031-01-02T00:00:00Z","shipDate":"${shipDate}T00:00:00Z","updatedAt":"${updatedAt}T00:00:00Z"}`;
    const order = '{"petId":1,"quantity":1}';
    const invalid = [
      ['orders[1].petId', `{${pets},"orders":[${order},{"petId":2,"quantity":1}]}`],
      ['orders[1]', `{${pets},"orders":[{"id":7,"petId":1,"quantity":1},{"id":7,"petId":1,"quantity":1}]}`],
      ['orders[0].status', `{${pets},"orders":[{"petId":1,"quantity":1,"status":"lost"}]}`],
      [
        'orders[0].shipDate',
        `{${pets},"orders":[{"petId":1,"quantity":1,"shipDate":"2031-02-30T00:00:00Z"}]}`,
      ],
      ['pets[1].id', `{"pets":[${pet},${pet}],"orders":[]}`],
      ['pets[0].id', `{"pets":[${pet.replace('"id":1', '"id":0')}],"orders":[]}`],
      ['orders[0].quantity', `{${pets},"orders":[{"petId":1,"quantity":1001}]}`],
      ['orders[0].updatedAt', `{${pets},"orders":[${delivered('2031-01-03', '2000-01-01')}]}`],
      ['orders[0].shipDate', `{${pets},"orders":[${delivered('2031-01-01', '2031-01-04')}]}`],
    ] as const;
    for (const [location, data] of invalid) {
      const response = await fill(data);
      expectError(response, 422, 'invalid_data');
      ensure(response.text.includes(location), `a message that names ${location}`, response.text);
    }
    equal(await revisionOf(v2), before, 'the revision');
  });
}

function storeChecks(suite: Suite, context: Context): void {
  const { check } = stagingSection(suite, context, 'stores', 'temporary stores', 'post /sandbox/stores');
  const { v2, client } = context.staging ?? context;
  const open = (body: string) => openTemporaryStore(v2, body);

  check(
    'create',
    '201 with the response of a reset, `key` and `expiresAt`; the key opens the new store',
    async () => {
      const before = await client.send({ path: '/store/orders' });
      const { response, key } = await open('{"dataSet":"empty","expiresIn":60}');
      const { dataSet, orders, pets, expiresAt } = objectOf(response, 201);
      equal([dataSet, orders, pets], ['empty', 0n, 0n], 'the response', response.request);
      const seconds = (Date.parse(String(expiresAt)) - Date.now()) / 1000;
      ensure(seconds > 0 && seconds < 120, 'an `expiresAt` one minute from now', expiresAt, response.request);
      ensure(/^pst_test_\w{38}$/.test(key), 'a staging key', 'a key of a different format', response.request);
      equal((await client.send({ path: '/store/orders', key })).text, '[]', 'the new store');
      expectSameBody(await client.send({ path: '/store/orders' }), before);
    },
  );
  check(
    'end',
    '`DELETE …/current` with its key is 204, and ends both; for any other store it is 404',
    async () => {
      const { key, close } = await open('{}');
      const response = await close();
      expectStatus(response, 204);
      expectNoBody(response);
      expectError(await client.send({ path: '/pets', key }), 401, 'invalid_api_key');
      const ownStore = { method: 'DELETE', prefix: client.v2, path: '/sandbox/stores/current' };
      expectError(await client.send(ownStore), 404, 'not_found');
    },
  );
  check(
    'defaults',
    'a store has the demonstration data for an hour by default; ids of an empty one begin at 1',
    async () => {
      const demo = await open('{}');
      const { response, key } = demo;
      const { dataSet, seed, orders, pets, expiresAt } = objectOf(response, 201);
      equal([dataSet, seed, orders, pets], ['default', 1n, 40n, 12n], 'the store', response.request);
      const minutes = (Date.parse(String(expiresAt)) - Date.parse(headerOf(response, 'Date'))) / 60_000;
      ensure(minutes > 58 && minutes < 62, 'an `expiresAt` one hour from now', expiresAt, response.request);
      const own = await client.send({ path: '/store/orders', key });
      expectStatus(await v2.send('POST', '/sandbox/reset', '{"dataSet":"default"}'), 200);
      expectSameBody(own, await client.send({ path: '/store/orders' }));
      const empty = await open('{"dataSet":"empty"}');
      const body = '{"petId":1,"quantity":1}';
      for (const id of [1n, 2n]) {
        const newPet = '{"name":"A","category":"b","stock":9}';
        const pet = objectOf(await client.send(empty.call('POST', '/pets', newPet)), 201);
        const order = objectOf(await client.send(empty.call('POST', '/store/orders', body)), 201);
        equal([pet.id, order.id], [id, id], 'the ids of an empty store');
      }
      // The same idempotency key in two stores is two keys.
      for (const store of [demo, empty]) {
        const { headers, ...call } = store.call('POST', '/store/orders', body);
        const placed = await client.send({
          ...call,
          headers: { ...headers, 'Idempotency-Key': 'acceptance' },
        });
        expectStatus(placed, 201);
        expectNoHeader(placed, 'Idempotent-Replayed');
      }
      for (const store of [demo, empty]) await store.close();
    },
  );
  check('nested', 'a temporary store cannot open another: 403 `forbidden`', async () => {
    const { call, close } = await open('{"dataSet":"empty"}');
    expectError(await client.send(call('POST', '/sandbox/stores', '{}')), 403, 'forbidden');
    expectStatus(await close(), 204);
  });
  check(
    'expires-in',
    '`expiresIn` is 60 to 86,400 seconds: anything else is 400 `invalid_body`',
    async () => {
      for (const seconds of ['60', '86400', '60.0']) {
        await using store = await open(`{"dataSet":"empty","expiresIn":${seconds}}`);
        const { expiresAt } = objectOf(store.response, 201);
        const left = Date.parse(String(expiresAt)) - Date.parse(headerOf(store.response, 'Date'));
        const isExact = Math.abs(left / 1000 - Number(seconds)) < 30;
        ensure(isExact, `an \`expiresAt\` in ${seconds} seconds`, expiresAt, store.response.request);
      }
      for (const seconds of ['59', '86401', '"60"', '-1', '60.5', 'null']) {
        expectError(
          await v2.send('POST', '/sandbox/stores', `{"expiresIn":${seconds}}`),
          400,
          'invalid_body',
        );
      }
    },
  );
}
