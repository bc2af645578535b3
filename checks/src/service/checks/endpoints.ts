import type { Suite } from '../check.ts';
import type { Context } from '../context.ts';
import { operations } from '../context.ts';
import {
  ensure,
  equal,
  expectError,
  expectJson,
  expectNoBody,
  expectNoHeader,
  expectSameBody,
  expectStatus,
} from '../expect.ts';
import { alteredKey } from '../invalid-keys.ts';
import { cancel, missingId, ordersIn } from '../orders.ts';

export function endpointChecks(suite: Suite, context: Context): void {
  commonChecks(suite, context);
  listOrdersChecks(suite, context);
  cancelOrderChecks(suite, context);
}

function commonChecks(suite: Suite, { client, orders }: Context): void {
  const { documented, check } = suite.section('v1.endpoints', 'Endpoints');

  documented(
    'base-address',
    '“All endpoints are relative to the base address, which includes `/v1`.”',
    async () => {
      for (const { method, path } of operations) expectStatus(await client.send({ method, path }), 200, 404);
    },
  );
  for (const { name, method, path } of operations) {
    check(
      `requires-key.${name}`,
      `“All require the bearer credential”: \`${name}\` without one is 401`,
      async () => {
        expectError(await client.send({ method, path, key: null }), 401, 'missing_api_key');
      },
    );
  }
  documented('success-is-json', '“Success … bodies are `application/json`.”', async () => {
    for (const path of ['/store/orders', '/pets', '/pets/{petId}']) {
      const response = await client.send({ path });
      expectStatus(response, 200);
      expectJson(response);
    }
  });
  documented('errors-are-json', '“… error bodies are `application/json`”: 401, 404 and 409', async () => {
    expectJson(await client.send({ path: '/pets', key: alteredKey(client.key) }));
    expectJson(await cancel(client, missingId));
    expectJson(await cancel(client, (await orders.delivered()).id));
  });
}

function listOrdersChecks(suite: Suite, { client, orders }: Context): void {
  const { documented, check } = suite.section('v1.list', 'Endpoints: GET /store/orders (listOrders)');

  documented('array', '“200: JSON array of Order objects”', async () => {
    expectStatus((await orders.list()).response, 200);
  });
  documented('invalid-key', '“401: Error object (missing or invalid API key)”: an invalid key', async () => {
    expectError(
      await client.send({ path: '/store/orders', key: alteredKey(client.key) }),
      401,
      'invalid_api_key',
    );
  });
  check('missing-key', '“401: Error object (missing or invalid API key)”: no key', async () => {
    expectError(await client.send({ path: '/store/orders', key: null }), 401, 'missing_api_key');
  });
  documented(
    'one-array',
    '“The response contains all orders in one array, without pages”: two lists are the same',
    async () => {
      const first = (await orders.list()).response;
      expectSameBody((await orders.list()).response, first);
    },
  );
  check('no-link', '“without pages”: no `Link` header links to a next one', async () => {
    expectNoHeader((await orders.list()).response, 'Link');
  });
  documented('ascending', 'the list is in ascending order of `id`', async () => {
    const ids = (await orders.list()).orders.map(({ id }) => id);
    equal(
      ids,
      ids.toSorted((a, b) => (a < b ? -1 : 1)),
      'the ids',
    );
  });
  const queries = ['limit=1', 'offset=5', 'page=2&per_page=3', 'cursor=abc', 'status=pending', 'petId=1'];
  check(
    'parameters-ignored',
    '“Query parameters: none; filtering and pagination are not supported”: they are ignored',
    async () => {
      const { response } = await orders.list();
      for (const query of [...queries, 'complete=true', 'sort=-id', 'a[b]=c&a[b]=d', 'x=%ZZ', '&&=&', '']) {
        const queried = await client.send({ path: `/store/orders?${query}` });
        expectStatus(queried, 200);
        expectSameBody(queried, response);
      }
    },
  );
  check('no-filters', '“Filtering and pagination are planned for version 2”: v1 has neither', async () => {
    const { orders: all } = await orders.list();
    const filtered = await client.send({ path: '/store/orders?status=shipped&complete=false&limit=2' });
    equal(ordersIn(filtered).length, all.length, 'the number of orders:');
  });
  check('body-ignored', '“Request body: none”: a body is ignored', async () => {
    const { response } = await orders.list();
    expectSameBody(await client.send({ path: '/store/orders', body: '{"limit":1}' }), response);
  });
}

function cancelOrderChecks(suite: Suite, { client, orders, cancellation }: Context): void {
  const { documented, check } = suite.section(
    'v1.cancel',
    'Endpoints: DELETE /store/orders/{orderId} (cancelOrder)',
  );

  documented('one-order', '“Cancels one order.”', async () => {
    const { before, after } = await cancellation();
    equal(before.length - after.length, 1, 'the number of cancelled orders:');
  });
  documented('204', '“204: Order cancelled; no body”', async () => {
    const { response } = await cancellation();
    expectStatus(response, 204);
    expectNoBody(response);
  });
  check(
    '204-bare',
    '204 announces no body: no `Content-Type`, no `Content-Length`, no `Transfer-Encoding`',
    async () => {
      const { response } = await cancellation();
      for (const name of ['Content-Type', 'Content-Length', 'Transfer-Encoding'])
        expectNoHeader(response, name);
    },
  );
  documented(
    'invalid-key',
    '“401: Error object (missing or invalid API key)”: an invalid key cancels nothing',
    async () => {
      const { response, orders: before } = await orders.list();
      const path = `/store/orders/${before.find(({ complete }) => !complete)?.id ?? missingId}`;
      const key = alteredKey(client.key);
      expectError(await client.send({ method: 'DELETE', path, key }), 401, 'invalid_api_key');
      expectSameBody((await orders.list()).response, response);
    },
  );
  check(
    'missing-key',
    '“401: Error object (missing or invalid API key)”: no key cancels nothing',
    async () => {
      const { response, orders: before } = await orders.list();
      const path = `/store/orders/${before.find(({ complete }) => !complete)?.id ?? missingId}`;
      expectError(await client.send({ method: 'DELETE', path, key: null }), 401, 'missing_api_key');
      expectSameBody((await orders.list()).response, response);
    },
  );
  documented('404', '“404: Error object (the requested resource could not be found)”', async () => {
    expectError(await cancel(client, missingId), 404, 'not_found');
  });
  documented('409', '“409: Order cannot be cancelled because it has already shipped”', async () => {
    expectError(await cancel(client, (await orders.shipped()).id), 409, 'order_already_shipped');
  });
  documented(
    '409-body',
    '“Body of the 409 response”: an Error with the code `order_already_shipped`',
    async () => {
      expectError(await cancel(client, (await orders.delivered()).id), 409, 'order_already_shipped');
    },
  );
  check('parameters-ignored', '“Query parameters: none”: they are ignored', async () => {
    const { id } = await orders.delivered();
    expectError(await cancel(client, `${id}?force=true&orderId=${missingId}`), 409, 'order_already_shipped');
    expectError(await cancel(client, `${missingId}?orderId=${id}`), 404, 'not_found');
  });
  check(
    'whole-collection',
    '“Path parameter `orderId`: required”: DELETE on the whole collection is 405 and cancels nothing',
    async () => {
      const { response } = await orders.list();
      expectError(await client.send({ method: 'DELETE', path: '/store/orders' }), 405, 'method_not_allowed');
      expectSameBody((await orders.list()).response, response);
      ensure(response.status === 200, 'a list', response.status);
    },
  );
}
