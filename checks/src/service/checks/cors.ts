import type { Suite } from '../check.ts';
import type { Context } from '../context.ts';
import { ensure, expectNoBody, expectNoHeader, expectStatus, headerOf, membersOf } from '../expect.ts';
import type { Response } from '../http.ts';
import { missingId } from '../orders.ts';

const origin = 'https://shop.example';

function expectReadableByAnyOrigin(response: Response): void {
  const allowed = headerOf(response, 'Access-Control-Allow-Origin');
  ensure(allowed === '*' || allowed === origin, `* or ${origin}`, allowed, response.request);
  if (allowed !== '*')
    ensure(membersOf(response, 'Vary').includes('origin'), 'Vary: Origin', response.headers.vary);
  expectNoHeader(response, 'Access-Control-Allow-Credentials');
}

function expectMembers(response: Response, header: string, expected: string[]): void {
  const members = membersOf(response, header);
  const absent = expected.filter((name) => !members.includes(name.toLowerCase()));
  ensure(
    absent.length === 0,
    `${header} with ${absent.join(', ')}`,
    response.headers[header.toLowerCase()],
    response.request,
  );
}

export function corsChecks(suite: Suite, { client, orders }: Context): void {
  const { check } = suite.section('v1.cors', 'Decisions: CORS');
  const preflight = (path: string, method: string, headers = 'authorization') =>
    client.send({
      method: 'OPTIONS',
      path,
      key: null,
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': headers,
      },
    });

  const calls = [
    { method: 'GET', path: '/store/orders' },
    { method: 'DELETE', path: `/store/orders/${missingId}` },
    { method: 'GET', path: '/pets' },
    { method: 'GET', path: '/pets/{petId}' },
  ];
  check(
    'preflight-without-key',
    'a preflight needs no key: 2xx without a body, for each operation',
    async () => {
      for (const { method, path } of calls) {
        const response = await preflight(path, method);
        expectStatus(response, 200, 204);
        expectNoBody(response);
      }
    },
  );
  check('preflight-method', 'a preflight allows any origin, with the method of the operation', async () => {
    for (const { method, path } of calls) {
      const response = await preflight(path, method);
      expectReadableByAnyOrigin(response);
      expectMembers(response, 'Access-Control-Allow-Methods', [method]);
    }
  });
  check(
    'preflight-headers',
    'a preflight allows the headers of browser clients, including `If-None-Match` and `Idempotency-Key`',
    async () => {
      const response = await preflight('/store/orders', 'GET', 'authorization,idempotency-key');
      expectMembers(response, 'Access-Control-Allow-Headers', [
        'Authorization',
        'Content-Type',
        'If-None-Match',
        'Idempotency-Key',
      ]);
    },
  );
  check('any-origin', 'any origin may read the response: 200, 304, 401, 404, 405 and 409', async () => {
    const headers = { Origin: origin };
    const list = await client.send({ path: '/store/orders', headers });
    expectReadableByAnyOrigin(list);
    const tagged = { ...headers, 'If-None-Match': headerOf(list, 'ETag') };
    const unchanged = await client.send({ path: '/store/orders', headers: tagged });
    expectStatus(unchanged, 304);
    expectReadableByAnyOrigin(unchanged);
    const delivered = `/store/orders/${(await orders.delivered()).id}`;
    const rejected = await client.send({ method: 'DELETE', path: delivered, headers });
    expectStatus(rejected, 409);
    expectReadableByAnyOrigin(rejected);
    expectReadableByAnyOrigin(await client.send({ path: '/store/orders', headers, key: null }));
    expectReadableByAnyOrigin(await client.send({ path: `/pets/${missingId}`, headers }));
    expectReadableByAnyOrigin(await client.send({ path: '/nothing', headers }));
    expectReadableByAnyOrigin(await client.send({ method: 'POST', path: '/pets', headers }));
  });
  check('exposed-headers', 'a response exposes the headers a browser client needs', async () => {
    const exposed = [
      'ETag',
      'X-Request-Id',
      'Link',
      'Deprecation',
      'Sunset',
      'Retry-After',
      'WWW-Authenticate',
    ];
    for (const key of [client.key, null]) {
      const response = await client.send({ path: '/pets/{petId}', key, headers: { Origin: origin } });
      if (response.headers['access-control-expose-headers'] !== '*') {
        expectMembers(response, 'Access-Control-Expose-Headers', exposed);
      }
    }
  });
  check(
    'no-cookies',
    'no cookies: no `Access-Control-Allow-Credentials`, on a preflight or after it',
    async () => {
      expectNoHeader(await preflight('/store/orders', 'GET'), 'Access-Control-Allow-Credentials');
      const response = await client.send({
        path: '/store/orders',
        headers: { Origin: origin, Cookie: 'a=b' },
      });
      expectNoHeader(response, 'Access-Control-Allow-Credentials');
      expectNoHeader(response, 'Set-Cookie');
    },
  );
}
