import type { Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, equal, expectError, expectStatus, headerOf, membersOf } from '../../expect.ts';
import { alteredKey } from '../../invalid-keys.ts';
import { missingId } from '../../orders.ts';
import { sectionOf } from './section.ts';

/** A path of the document with ids that do not exist. */
const withMissingIds = (path: string) =>
  path.replace(/\{webhookId\}/, 'wh_nobody').replace(/\{\w+\}/g, String(missingId));

export function keyChecks(suite: Suite, { v2, client }: Context): void {
  const { check } = sectionOf(suite, v2, 'keys', 'keys, documents and origins');
  const calls = async () =>
    [...(await v2.document.operations()).keys()].map((operation) => {
      const [method = '', path = ''] = operation.split(' ');
      return { method: method.toUpperCase(), prefix: client.v2, path: withMissingIds(path) };
    });

  check('required', 'every operation checks the key first: a missing or invalid one is 401', async () => {
    for (const call of await calls()) {
      expectError(await client.send({ ...call, key: null }), 401, 'missing_api_key');
      expectError(await client.send({ ...call, key: alteredKey(client.key) }), 401, 'invalid_api_key');
    }
    expectError(
      await client.send({ prefix: client.v2, path: '/nothing', key: null }),
      401,
      'missing_api_key',
    );
  });
  check('unknown-path', '404 `not_found` for another path, 405 with `Allow` for another method', async () => {
    for (const path of ['/nothing', '/store/orders/', '/pets/{petId}/2', '/store']) {
      expectError(await v2.get(path), 404, 'not_found');
    }
    const allowed = {
      '/store/orders': 'get, head, post, query',
      '/pets/{petId}': 'get, head, patch',
      '/store/summary': 'get, head',
    };
    for (const [path, methods] of Object.entries(allowed)) {
      const response = await v2.send('PUT', path, '{}');
      expectError(response, 405, 'method_not_allowed');
      equal(
        membersOf(response, 'Allow')
          .filter((name) => name !== 'options')
          .sort()
          .join(', '),
        methods,
        'Allow',
        response.request,
      );
    }
  });
  check(
    'document',
    'the document is OpenAPI, served without a key; every operation states its stability',
    async () => {
      const { openapi } = await v2.document.read();
      ensure(/^3\.[12]\.\d+$/.test(String(openapi)), 'OpenAPI 3.1 or newer', openapi);
      for (const [operation, { 'x-stability': stability }] of await v2.document.operations()) {
        const isBeta = /^\w+ \/(store\/orders|pets|store\/summary)/.test(operation);
        equal(stability, isBeta ? 'beta' : 'experimental', `the stability of ${operation}`);
      }
    },
  );
  check('operations', 'the document lists the operations on orders, pets and the summary', async () => {
    const documented = await v2.document.operations();
    const order = '/store/orders/{orderId}';
    const operations = [
      'get /store/orders',
      'post /store/orders',
      `get ${order}`,
      `delete ${order}`,
      `post ${order}/ship`,
    ];
    operations.push(`post ${order}/deliver`, `get ${order}/history`, 'get /store/summary');
    operations.push('get /pets', 'post /pets', 'get /pets/{petId}', 'patch /pets/{petId}');
    for (const operation of operations) ensure(documented.has(operation), operation, 'a document without it');
  });
  check(
    'origins',
    'any origin may read responses, and may send `Idempotency-Key` and `Content-Type`',
    async () => {
      const preflight = await client.send({
        method: 'OPTIONS',
        prefix: client.v2,
        path: '/store/orders',
        key: null,
        headers: {
          Origin: 'https://shop.example',
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
        },
      });
      expectStatus(preflight, 200, 204);
      const allowed = membersOf(preflight, 'Access-Control-Allow-Headers');
      for (const name of [
        'authorization',
        'content-type',
        'idempotency-key',
        'if-none-match',
        'last-event-id',
      ]) {
        ensure(allowed.includes(name), `Access-Control-Allow-Headers with ${name}`, allowed);
      }
      for (const name of ['get', 'query', 'post']) {
        ensure(membersOf(preflight, 'Access-Control-Allow-Methods').includes(name), name, preflight.headers);
      }
      const response = await v2.get('/store/orders?limit=1', { Origin: 'https://shop.example' });
      equal(headerOf(response, 'Access-Control-Allow-Origin'), '*', 'Access-Control-Allow-Origin');
      const exposed = membersOf(response, 'Access-Control-Expose-Headers');
      for (const name of ['location', 'link', 'etag', 'idempotent-replayed', 'retry-after', 'ratelimit']) {
        ensure(exposed.includes(name), `Access-Control-Expose-Headers with ${name}`, exposed);
      }
    },
  );
}
