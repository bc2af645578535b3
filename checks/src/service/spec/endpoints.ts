import type { Suite } from '../check.ts';
import { ensure, expectJson, expectNoBody, expectStatus } from '../expect.ts';
import { alteredKey } from '../invalid-keys.ts';
import {
  expectErrorObject,
  expectErrorObjectIfAny,
  expectRejection,
  integerOf,
  isObject,
  jsonIn,
} from './expect.ts';
import { changesOf } from './lists.ts';
import type { Named, Store } from './store.ts';

/** Parameters by which services filter or paginate. */
const queries = [
  'limit=1',
  'per_page=1&page=2',
  'page=2',
  'page=0',
  'offset=1',
  'skip=1&take=1',
  'size=1',
  'status=pending',
  'complete=true',
  'complete=false',
  'cursor=2',
];

export function endpointChecks(suite: Suite, store: Store, named: Named): void {
  commonChecks(suite, store);
  listChecks(suite, store, named);
  cancelChecks(suite, store);
}

function commonChecks(suite: Suite, store: Store): void {
  const { documented } = suite.section('spec.endpoints', 'Endpoints');
  const { client } = store;

  documented(
    'base-address',
    '“All endpoints are relative to the base address, which includes `/v1`.”',
    async () => {
      expectStatus(await client.send({ path: '/store/orders' }), 200);
      const { status } = await client.send({ path: '/pets' });
      ensure(status >= 200 && status <= 299, 'status 200', status, 'GET /pets');
    },
  );
  documented('success-is-json', '“Success … bodies are `application/json`.”', async () => {
    for (const path of ['/store/orders', '/pets']) {
      const response = await client.send({ path });
      if (response.body.length > 0) expectJson(response);
    }
  });
  documented('errors-are-json', '“… error bodies are `application/json`”: 401, 404 and 409', async () => {
    const missing = `/store/orders/${await store.missingId()}`;
    expectJson(await client.send({ path: '/store/orders', key: alteredKey(client.key) }));
    expectJson(await client.send({ method: 'DELETE', path: missing }));
    const [response] = (await store.rejection()).responses;
    if (response.body.length > 0) expectJson(response);
  });
}

function listChecks(suite: Suite, store: Store, { pending, shipped }: Named): void {
  const { documented, check } = suite.section('spec.list', 'Endpoints: GET /store/orders (listOrders)');
  const { client } = store;

  documented('array', '“200: JSON array of Order objects”', async () => {
    for (const order of (await store.list()).orders) ensure(isObject(order), 'an Order object', order);
  });
  documented(
    'all',
    '“Lists all orders placed in the store”: none appears that was missing before',
    async () => {
      const first = await store.list();
      const { added, removed } = changesOf(first, await store.list());
      ensure(
        added.length + removed.length === 0,
        'the same orders twice',
        [...added, ...removed],
        'GET /store/orders',
      );
      const listed = first.orders.map((order) => (isObject(order) ? integerOf(order.id) : undefined));
      if (listed.some((id) => id !== undefined))
        ensure(
          shipped === undefined || listed.includes(shipped),
          `order ${shipped} in the list`,
          listed,
          'GET /store/orders',
        );
      if (pending === undefined && !listed.some((id) => id !== undefined)) return;
      // In a truncated list, the next order would move up when one is cancelled.
      const { before, after } = await store.cancellation();
      const earlier = new Set(
        before.orders.map((order) => (isObject(order) ? integerOf(order.id) : undefined)),
      );
      const late = after.orders.filter((order) => isObject(order) && !earlier.has(integerOf(order.id)));
      ensure(late.length === 0, 'only orders that were listed before', late, 'GET /store/orders');
    },
  );
  check('plain', '“Path parameters: none”, “Request body: none”: nothing but the key is needed', async () => {
    const request = client.requestText({ path: '/store/orders' });
    const response = await client.sendBytes(request, 'GET /store/orders with no other header');
    expectStatus(response, 200);
    jsonIn(response);
  });
  check('parameters', '“Query parameters: none; filtering and pagination are not supported”', async () => {
    const whole = await store.list();
    for (const query of queries) {
      const response = await client.send({ path: `/store/orders?${query}` });
      if (response.status !== 200) {
        ensure(
          response.status >= 400 && response.status <= 499,
          'status 200',
          response.status,
          response.request,
        );
        continue;
      }
      const orders = jsonIn(response);
      const { added, removed } = changesOf(whole, { orders: Array.isArray(orders) ? orders : [orders] });
      ensure(
        added.length + removed.length === 0,
        'the same list as without parameters',
        orders,
        response.request,
      );
    }
  });
  documented('one-array', '“The response contains all orders in one array, without pages.”', async () => {
    const { response } = await store.list();
    const { link = '' } = response.headers;
    ensure(!/rel="?'?\s*(next|last)\b/i.test(link), 'no `Link` to another page', link, response.request);
    const range = response.headers['content-range'];
    ensure(range === undefined, 'no `Content-Range`', range, response.request);
  });
  documented('invalid-key', '“401: Error object (missing or invalid API key)”: an invalid key', async () => {
    expectErrorObject(await client.send({ path: '/store/orders', key: alteredKey(client.key) }), 401);
  });
  check('missing-key', '“401: Error object (missing or invalid API key)”: no key', async () => {
    expectErrorObject(await client.send({ path: '/store/orders', key: null }), 401);
  });
}

function cancelChecks(suite: Suite, store: Store): void {
  const { documented, check } = suite.section(
    'spec.cancel',
    'Endpoints: DELETE /store/orders/{orderId} (cancelOrder)',
  );
  const { client } = store;
  const cancel = (id: bigint | string, key?: string | null) =>
    client.send({ method: 'DELETE', path: `/store/orders/${id}`, ...(key !== undefined && { key }) });

  documented('one-order', '“Cancels one order.”', async () => {
    const { before, response, after } = await store.cancellation();
    expectStatus(response, 204);
    const lost = before.orders.length - after.orders.length;
    ensure(lost === 0 || lost === 1, 'at most one order fewer', `${lost} fewer`, 'GET /store/orders');
  });
  documented('204', '“204: Order cancelled; no body”', async () => {
    const { response } = await store.cancellation();
    expectStatus(response, 204);
    expectNoBody(response);
  });
  documented('invalid-key', '“401: Error object (missing or invalid API key)”: an invalid key', async () => {
    expectErrorObject(await cancel(await store.missingId(), alteredKey(client.key)), 401);
    expectErrorObject(await cancel((await store.rejection()).id, alteredKey(client.key)), 401);
  });
  check('missing-key', '“401: Error object (missing or invalid API key)”: no key', async () => {
    expectErrorObject(await cancel(await store.missingId(), null), 401);
  });
  documented('404', '“404: Error object (the requested resource could not be found)”', async () => {
    expectErrorObject(await cancel(await store.missingId()), 404);
  });
  documented('409', '“409: Order cannot be cancelled because it has already shipped”', async () => {
    expectStatus((await store.rejection()).responses[0], 409);
  });
  check('409-body', '“All error bodies use the Error object”: the body of a 409, if any', async () => {
    for (const response of (await store.rejection()).responses) expectErrorObjectIfAny(response, 409);
  });
  // Not `documented`: a validating proxy may round the largest id.
  check('int64', '“`orderId` integer, int64”: large ids are valid, and match no other order', async () => {
    const { id } = await store.rejection();
    const largest = 2n ** 63n - 1n;
    const others = [largest, 2n ** 53n + 1n, id + 2n ** 32n, id + 2n ** 53n];
    const listed = (await store.orders()).map((order) => integerOf(order.id));
    for (const other of others)
      if (other <= largest && !listed.includes(other)) expectErrorObject(await cancel(other), 404);
  });
  check(
    'not-an-integer',
    '“`orderId` integer”: text is rejected; a body, if any, is an Error object',
    async () => {
      expectRejection(await cancel('abc'));
    },
  );
  check(
    'parameters',
    '“Query parameters: none”: with some, a rejected `cancelOrder` stays rejected',
    async () => {
      const { id, withQuery } = await store.rejection();
      expectRejection(withQuery);
      expectRejection(await cancel(`${await store.missingId()}?orderId=${id}`));
    },
  );
  documented('plain', '“Request body: none”: nothing but the key is needed', async () => {
    expectStatus((await store.cancellation()).response, 204);
  });
}
