import type { Suite } from '../check.ts';
import type { Context } from '../context.ts';
import { expectError, headerOf } from '../expect.ts';
import { alteredKey } from '../invalid-keys.ts';
import { missingId } from '../orders.ts';

export function precedenceChecks(suite: Suite, { client, orders }: Context): void {
  const { check } = suite.section('v1.precedence', 'Decisions: the order of checks');
  const keys = [
    { key: null, code: 'missing_api_key' },
    { key: alteredKey(client.key), code: 'invalid_api_key' },
  ];
  const expectUnauthorized = async (method: string, path: string, headers: Record<string, string> = {}) => {
    for (const { key, code } of keys)
      expectError(await client.send({ method, path, key, headers }), 401, code);
  };

  check('401-unknown-path', '401 comes before 404 for an unknown path', async () => {
    for (const path of ['/nothing', '/', '', '/store/orders/1/items', '/store/orders/']) {
      await expectUnauthorized('GET', path);
    }
  });
  check('401-method', '401 comes before 405', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'TRACE']) await expectUnauthorized(method, '/store/orders');
    await expectUnauthorized('GET', `/store/orders/${missingId}`);
  });
  check('401-missing-object', '401 comes before the 404 of an order or a pet', async () => {
    for (const id of [String(missingId), 'abc', '01']) {
      await expectUnauthorized('DELETE', `/store/orders/${id}`);
      await expectUnauthorized('GET', `/pets/${id}`);
    }
  });
  check('401-shipped', '401 comes before 409', async () => {
    await expectUnauthorized('DELETE', `/store/orders/${(await orders.delivered()).id}`);
  });
  check('401-tag', '401 comes before 304', async () => {
    const etag = headerOf((await orders.list()).response, 'ETag');
    await expectUnauthorized('GET', '/store/orders', { 'If-None-Match': etag });
    await expectUnauthorized('GET', '/store/orders', { 'If-None-Match': '*' });
  });
  check('401-options', '401 for OPTIONS that is not a CORS preflight', async () => {
    for (const path of ['/store/orders', `/store/orders/${missingId}`, '/pets', '/pets/{petId}'])
      for (const headers of [
        {},
        { Origin: 'https://shop.example' },
        { 'Access-Control-Request-Method': 'GET' },
      ] as Record<string, string>[])
        await expectUnauthorized('OPTIONS', path, headers);
  });
  check('404-before-405', '404 of an unknown path comes before 405', async () => {
    for (const method of ['POST', 'DELETE', 'PATCH']) {
      expectError(await client.send({ method, path: '/nothing' }), 404, 'not_found');
    }
  });
  check('405-before-404', '405 comes before the 404 of an order or a pet', async () => {
    for (const id of [String(missingId), 'abc']) {
      expectError(await client.send({ path: `/store/orders/${id}` }), 405, 'method_not_allowed');
      expectError(await client.send({ method: 'POST', path: `/pets/${id}` }), 405, 'method_not_allowed');
    }
  });
  check('before-bodies', '404 and 405 come before any error about the body or its content type', async () => {
    for (const type of ['application/json', 'text/xml', 'multipart/form-data', ';;;', '']) {
      const call = { method: 'POST', headers: { 'Content-Type': type }, body: '{' };
      expectError(await client.send({ ...call, path: '/nothing' }), 404, 'not_found');
      expectError(await client.send({ ...call, path: '/store/orders' }), 405, 'method_not_allowed');
    }
  });
}
