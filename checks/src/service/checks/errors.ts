import { Inconclusive, type Suite } from '../check.ts';
import type { Context } from '../context.ts';
import { operations } from '../context.ts';
import { ensure, equal, expectError, expectSameBody, headerOf, membersOf } from '../expect.ts';
import { alteredKey } from '../invalid-keys.ts';
import { cancel, missingId } from '../orders.ts';

const wrongMethods = [
  { path: '/store/orders', rejected: ['POST', 'PUT', 'PATCH', 'DELETE'], allowed: ['get', 'head'] },
  { path: `/store/orders/${missingId}`, rejected: ['GET', 'HEAD', 'POST', 'PUT'], allowed: ['delete'] },
  { path: '/pets', rejected: ['POST', 'PUT', 'PATCH', 'DELETE'], allowed: ['get', 'head'] },
  { path: '/pets/{petId}', rejected: ['POST', 'PUT', 'PATCH', 'DELETE'], allowed: ['get', 'head'] },
];

export function errorChecks(suite: Suite, { client, orders, cancellation, staging }: Context): void {
  const { documented, check } = suite.section('v1.errors', 'Errors');
  const levelAll = suite.section('v1.errors', 'Errors', 'all');

  documented(
    'error-object',
    '“All error bodies use the Error object (`code`, `message`, `status`)”: 401, 404 and 409',
    async () => {
      expectError(await client.send({ path: '/pets', key: alteredKey(client.key) }), 401);
      expectError(await cancel(client, missingId), 404);
      expectError(await cancel(client, (await orders.delivered()).id), 409);
    },
  );
  documented('invalid-key', '“401: API key missing or invalid: all operations”: invalid', async () => {
    for (const { method, path } of operations) {
      expectError(await client.send({ method, path, key: alteredKey(client.key) }), 401, 'invalid_api_key');
    }
  });
  check('missing-key', '“401: API key missing or invalid: all operations”: missing', async () => {
    for (const { method, path } of operations) {
      expectError(await client.send({ method, path, key: null }), 401, 'missing_api_key');
    }
  });
  documented('404', '“404: Resource not found: `cancelOrder`”', async () => {
    expectError(await cancel(client, missingId), 404, 'not_found');
  });
  documented('409', '“409: Order has already shipped and cannot be cancelled: `cancelOrder`”', async () => {
    expectError(await cancel(client, (await orders.shipped()).id), 409, 'order_already_shipped');
  });
  check('charset', 'an Error is in UTF-8: its content type names no other charset', async () => {
    const rejections = [
      await client.send({ path: '/pets', key: null }),
      await cancel(client, missingId),
      await cancel(client, (await orders.delivered()).id),
      await client.send({ method: 'POST', path: '/pets' }),
    ];
    for (const response of rejections) {
      const type = headerOf(response, 'Content-Type').toLowerCase();
      ensure(
        /^application\/json(; ?charset=utf-8)?$/.test(type),
        'application/json, in UTF-8',
        type,
        response.request,
      );
    }
  });
  const retryAfter = '503 `unavailable` and 429 `rate_limited` have `Retry-After`, in seconds';
  if (staging === undefined)
    levelAll.inconclusive('retry-after', retryAfter, 'needs --staging-url and --staging-key');
  else {
    levelAll.check('retry-after', retryAfter, async () => {
      for (const [status, code] of [
        [503, 'unavailable'],
        [429, 'rate_limited'],
      ] as const) {
        const headers = { Prefer: `code=${status}` };
        const response = await staging.client.send({ path: '/pets', headers, isUnrecorded: true });
        if (response.status === 200) throw new Inconclusive('the service does not support `Prefer: code`');
        expectError(response, status, code);
        equal(headerOf(response, 'Retry-After'), '1', 'Retry-After', response.request);
      }
    });
  }
  check(
    '404-alike',
    '404 is the same for every missing order, even if another store has that ID',
    async () => {
      // Every store counts from 1, so an ID cancelled here exists in other stores.
      const { order } = await cancellation();
      const notFound = await cancel(client, order.id);
      expectError(notFound, 404, 'not_found');
      expectSameBody(notFound, await cancel(client, missingId));
    },
  );
  check('405', '405 `method_not_allowed`, with the allowed methods in `Allow`', async () => {
    for (const { path, rejected, allowed } of wrongMethods) {
      for (const method of rejected) {
        const response = await client.send({ method, path });
        if (method === 'HEAD') equal(response.status, 405, 'status', response.request);
        else expectError(response, 405, 'method_not_allowed');
        const named = membersOf(response, 'Allow').filter((name) => name !== 'options');
        equal(named.sort(), allowed, 'Allow', response.request);
      }
    }
  });
  check('405-rare-methods', '405 also for rare methods', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'LOCK', 'SEARCH']) {
      const response = await client.send({ method, path: '/store/orders' });
      expectError(response, 405, 'method_not_allowed');
      headerOf(response, 'Allow');
    }
  });
  check('unknown-path', '404 `not_found` for every other path under the base address', async () => {
    const { id } = await orders.delivered();
    const paths = [
      '',
      '/',
      '/nothing',
      '/store',
      '/orders',
      '/store/orders/',
      `/store/orders/${id}/`,
      '/pets/',
    ];
    for (const path of [
      ...paths,
      `/store/orders/${id}/items`,
      '/STORE/ORDERS',
      '//store/orders',
      '/pets/{petId}/2',
    ]) {
      for (const method of ['GET', 'DELETE', 'POST']) {
        expectError(await client.send({ method, path }), 404, 'not_found');
      }
    }
  });
}
