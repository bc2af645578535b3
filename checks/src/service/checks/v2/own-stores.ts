import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { hasNoBody, hasStatus, holds, isError, same, sameBody } from '../../expect.ts';
import type { Response } from '../../http.ts';
import { objectOf } from '../../v2.ts';
import { revisionOf } from './events.ts';
import { stagingSection } from './sandbox.ts';

export function ownStoreChecks(suite: Suite, context: Context): void {
  dataChecks(suite, context);
  storeChecks(suite, context);
}

function dataChecks(suite: Suite, context: Context): void {
  const title = 'a store with data of one’s own';
  const { check } = stagingSection(suite, context, 'own-data', title, 'get /sandbox/data');
  const { v2, client } = context.staging ?? context;
  const putOff = once(async () =>
    v2.afterwards(() => v2.send('POST', '/sandbox/reset', '{"dataSet":"default"}')),
  );
  const fill = async (data: string) => {
    await putOff();
    return v2.send('POST', '/sandbox/reset', `{"data":${data}}`);
  };
  const list = (path: string) => client.send({ path });

  check('round-trip', '`GET /sandbox/data`, sent back as `data`, gives the same lists', async () => {
    const before = [await list('/store/orders'), await list('/pets')];
    const { items } = await v2.walk('/store/orders?limit=1000');
    const response = await v2.get('/sandbox/data');
    hasStatus(response, 200);
    const { dataSet, seed } = objectOf(await fill(response.text));
    same([dataSet, seed], ['own', null], '`dataSet` and `seed`');
    sameBody(await list('/store/orders'), before[0] as Response);
    sameBody(await list('/pets'), before[1] as Response);
    const statuses = (orders: typeof items) => orders.map(({ id, status }) => [id, status]);
    same(statuses((await v2.walk('/store/orders?limit=1000')).items), statuses(items), 'the orders');
  });
  check(
    'counted-on',
    'omitted IDs continue the sequence, `pending` is the default, `stock` is unchanged',
    async () => {
      const pets = '[{"id":5,"name":"Ada","category":"cat","stock":2}]';
      const orders =
        '[{"id":9007199254740993,"petId":5,"quantity":3,"status":"shipped"},{"petId":5,"quantity":1}]';
      const told = objectOf(await fill(`{"pets":${pets},"orders":${orders}}`));
      same([told.pets, told.orders], [1n, 2n], '`pets` and `orders`');
      const { items } = await v2.walk('/store/orders');
      same(
        items.map(({ id, status }) => [id, status]),
        [
          [9007199254740993n, 'shipped'],
          [9007199254740994n, 'pending'],
        ],
        'the orders',
      );
      same(await v2.stockOf(5n), 2n, 'the stock');
    },
  );
  check('invalid', 'invalid data is 422 `invalid_data` with its location, and changes nothing', async () => {
    const before = await revisionOf(v2);
    const pets = '"pets":[{"id":1,"name":"Ada","category":"cat","stock":2}]';
    const good = '{"petId":1,"quantity":1}';
    const refusals = {
      'orders[1].petId': `{${pets},"orders":[${good},{"petId":2,"quantity":1}]}`,
      'orders[1]': `{${pets},"orders":[{"id":7,"petId":1,"quantity":1},{"id":7,"petId":1,"quantity":1}]}`,
      'orders[0].status': `{${pets},"orders":[{"petId":1,"quantity":1,"status":"lost"}]}`,
      'orders[0].shipDate': `{${pets},"orders":[{"petId":1,"quantity":1,"shipDate":"2031-02-30T00:00:00Z"}]}`,
    };
    for (const [place, data] of Object.entries(refusals)) {
      const response = await fill(data);
      isError(response, 422, 'invalid_data');
      holds(response.text.includes(place), `a message that names ${place}`, response.text);
    }
    same(await revisionOf(v2), before, 'the revision');
  });
}

function storeChecks(suite: Suite, context: Context): void {
  const { check } = stagingSection(suite, context, 'stores', 'a store by one call', 'post /sandbox/stores');
  const { v2, client } = context.staging ?? context;
  const open = async (body: string) => {
    const response = await v2.send('POST', '/sandbox/stores', body);
    const key = String(objectOf(response, 201).key);
    v2.afterwards(() => end(key));
    return { response, key };
  };
  const end = (key: string) =>
    client.send({ method: 'DELETE', prefix: client.v2, path: '/sandbox/stores/current', key });

  check(
    'create',
    '201 with the response of a reset, `key` and `expiresAt`; the key opens the new store',
    async () => {
      const before = await client.send({ path: '/store/orders' });
      const { response, key } = await open('{"dataSet":"empty","expiresIn":60}');
      const { dataSet, orders, pets, expiresAt } = objectOf(response, 201);
      same([dataSet, orders, pets], ['empty', 0n, 0n], 'the answer', response.request);
      const seconds = (Date.parse(String(expiresAt)) - Date.now()) / 1000;
      holds(seconds > 0 && seconds < 120, 'an `expiresAt` in a minute', expiresAt, response.request);
      holds(/^pst_test_\w{38}$/.test(key), 'a key of staging', 'another form', response.request);
      same((await client.send({ path: '/store/orders', key })).text, '[]', 'the new store');
      sameBody(await client.send({ path: '/store/orders' }), before);
    },
  );
  check(
    'end',
    '`DELETE …/current` with its key is 204, and ends both; for any other store it is 404',
    async () => {
      const { key } = await open('{}');
      const response = await end(key);
      hasStatus(response, 204);
      hasNoBody(response);
      isError(await client.send({ path: '/pets', key }), 401, 'invalid_api_key');
      isError(await end(client.key), 404, 'not_found');
    },
  );
  check('nested', 'a temporary store cannot open another: 403 `forbidden`', async () => {
    const { key } = await open('{"dataSet":"empty"}');
    const headers = { 'Content-Type': 'application/json' };
    const call = { method: 'POST', prefix: client.v2, path: '/sandbox/stores', key, headers, body: '{}' };
    isError(await client.send(call), 403, 'forbidden');
    hasStatus(await end(key), 204);
  });
  check(
    'expires-in',
    '`expiresIn` is 60 to 86,400 seconds: anything else is 400 `invalid_body`',
    async () => {
      for (const seconds of ['59', '86401', '"60"', '-1']) {
        isError(await v2.send('POST', '/sandbox/stores', `{"expiresIn":${seconds}}`), 400, 'invalid_body');
      }
    },
  );
}
