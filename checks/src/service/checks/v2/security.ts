import type { Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import {
  ensure,
  equal,
  expectError,
  expectNoHeader,
  expectSameBody,
  expectStatus,
  headerOf,
} from '../../expect.ts';
import { misspelledKeys } from '../../invalid-keys.ts';
import { missingId } from '../../orders.ts';
import { openTemporaryStore } from '../../temporary-store.ts';
import { objectOf } from '../../v2.ts';
import { stagingSection } from './sandbox.ts';

const json = { 'Content-Type': 'application/json' };
/** An order that only the other store has. */
const OTHER_ORDER_ID = 7_000_001;

/** The OWASP API Security Top 10, tried on staging with keys of two stores. */
export function securityChecks(suite: Suite, context: Context): void {
  const { check } = stagingSection(suite, context, 'security', 'security', 'post /sandbox/stores');
  const { v2, client } = context.staging ?? context;
  const openStore = (body: object) => openTemporaryStore(v2, JSON.stringify(body));
  const getAs = (key: string | null, path: string, headers = {}) =>
    client.send({ prefix: client.v2, path, key, headers });
  const place = (body: object) => v2.tryToPlace(JSON.stringify(body));

  check('other-store', 'another store’s order cannot be read, cancelled or counted', async () => {
    const before = objectOf(await v2.get('/store/summary')).orders;
    const pets = [{ id: 1, name: 'Ada', category: 'cat', stock: 3 }];
    const { key } = await openStore({
      data: { pets, orders: [{ id: OTHER_ORDER_ID, petId: 1, quantity: 1 }] },
    });
    const path = `/store/orders/${OTHER_ORDER_ID}`;
    expectStatus(await getAs(key, path), 200);
    expectSameBody(await v2.get(path), await v2.get(`/store/orders/${missingId}`));
    expectError(await v2.get(`${path}/history`), 404, 'not_found');
    expectError(await client.send({ method: 'DELETE', path }), 404, 'not_found');
    expectError(await v2.send('DELETE', path), 404, 'not_found');
    for (const verb of ['ship', 'deliver'])
      expectError(await v2.send('POST', `${path}/${verb}`), 404, 'not_found');
    equal(objectOf(await getAs(key, path)).status, 'pending', 'the status of the order');
    equal(objectOf(await v2.get('/store/summary')).orders, before, 'the counts of the summary');
  });
  check('ended-key', 'a revoked or expired key is 401', async () => {
    const { key, close } = await openStore({ dataSet: 'empty', expiresIn: 60 });
    const later = new Date(Date.now() + 100_000).toISOString();
    for (const path of ['/pets', '/store/orders']) {
      expectStatus(await getAs(key, path), 200);
      expectError(await getAs(key, path, { Prefer: `now="${later}"` }), 401, 'invalid_api_key');
    }
    expectStatus(await close(), 204);
    expectError(await client.send({ path: '/pets', key }), 401, 'invalid_api_key');
    expectError(await getAs(key, '/pets'), 401, 'invalid_api_key');
  });
  check('altered-key', 'a key that is truncated, in another case or in the query is 401', async () => {
    const { key } = client;
    for (const altered of misspelledKeys(key)) {
      expectError(await client.send({ path: '/store/orders', key: altered }), 401, 'invalid_api_key');
      expectError(await getAs(altered, '/store/orders'), 401, 'invalid_api_key');
    }
    for (const name of ['api_key', 'key', 'access_token'])
      expectError(await client.send({ path: `/pets?${name}=${key}`, key: null }), 401, 'missing_api_key');
  });
  check('other-versions', 'no other version is served: 404', async () => {
    for (const version of ['v0', 'v3']) {
      const prefix = client.v2.replace(/v2$/, version);
      for (const path of ['/store/orders', '/pets'])
        expectError(await client.send({ prefix, path, key: null }), 404);
    }
  });
  check('fields', 'a read-only field is 400 `invalid_body`, and changes nothing', async () => {
    const petId = Number(await v2.newPet(5));
    const values = {
      id: OTHER_ORDER_ID,
      status: 'delivered',
      placedAt: '2020-01-01T00:00:00.000Z',
      stock: 500,
    };
    for (const [field, value] of Object.entries(values))
      expectError(await place({ petId, quantity: 1, [field]: value }), 400, 'invalid_body');
    for (const change of ['{"status":"sold"}', '{"id":1}'])
      expectError(await v2.send('PATCH', `/pets/${petId}`, change), 400, 'invalid_body');
    equal(await v2.stockOf(BigInt(petId)), 5n, 'the stock');
  });
  check('costs', 'a page beyond 1,000 orders is 400, a body beyond 64 KiB 413', async () => {
    for (const limit of [1001, 100_000])
      expectError(await v2.get(`/store/orders?limit=${limit}`), 400, 'invalid_parameter');
    expectError(await place({ petId: 1, quantity: 1, note: 'x'.repeat(100_000) }), 413, 'payload_too_large');
  });
  check(
    'rate-limit',
    'a request beyond the rate limit of a store is 429 `rate_limited`, with `Retry-After`',
    async () => {
      const { key } = await openStore({ dataSet: 'empty', rateLimit: { requests: 3, seconds: 60 } });
      const responses = [];
      for (let count = 0; count < 4; count += 1)
        responses.push(await client.send({ path: '/pets', key, isUnrecorded: true }));
      const last = responses.at(-1) ?? (await getAs(key, '/pets'));
      expectError(last, 429, 'rate_limited');
      ensure(Number(headerOf(last, 'Retry-After')) > 0, 'seconds to wait', headerOf(last, 'Retry-After'));
      const other = await openStore({ dataSet: 'empty', rateLimit: { requests: 3, seconds: 60 } });
      const lifted = await client.send(
        other.call('POST', '/sandbox/reset', '{"dataSet":"empty","rateLimit":null}'),
      );
      expectStatus(lifted, 200);
      for (let count = 0; count < 5; count += 1)
        expectStatus(await client.send({ path: '/pets', key: other.key, isUnrecorded: true }), 200);
    },
  );
  check('last-unit', 'the last unit is sold once', async () => {
    const petId = Number(await v2.newPet(1));
    expectStatus(await place({ petId, quantity: 1 }), 201);
    expectError(await place({ petId, quantity: 1 }), 409, 'insufficient_stock');
  });
  check(
    'webhooks',
    'a webhook allows only http(s) without a password, and its secret is shown once',
    async () => {
      const create = (url: string) => v2.send('POST', '/webhooks', JSON.stringify({ url }));
      for (const url of ['file:///etc/passwd', 'gopher://169.254.169.254/', 'https://a:b@example.com/'])
        expectError(await create(url), 422, 'invalid_webhook_url');
      const { id, secret } = objectOf(await create('https://webhook.invalid/'), 201);
      v2.onCleanUp(() => v2.send('DELETE', `/webhooks/${id}`));
      for (const path of [`/webhooks/${id}`, '/webhooks']) {
        const { text, request } = await v2.get(path);
        ensure(!text.includes(String(secret).slice(6)), 'no secret', 'the secret', request);
      }
      expectStatus(await v2.send('DELETE', `/webhooks/${id}`), 204);
    },
  );
  check('errors', 'an error reveals nothing about the program: no stack trace, path or line', async () => {
    for (const body of ['{"name":"Ada"}', '{', '[]', '{"name":5,"category":"cat","stock":1}']) {
      const response = await v2.send('POST', '/pets', body);
      expectError(response, 400, 'invalid_body');
      const { message } = objectOf(response, 400);
      ensure(!/\n|\bat .*:\d+|\.[jt]s\b/.test(String(message)), 'one sentence', message, response.request);
    }
  });
  check('browsers', 'no origin may use credentials, and content sniffing is off', async () => {
    const headers = { Origin: 'https://evil.example', ...json };
    for (const response of [
      await client.send({ path: '/store/orders', headers }),
      await v2.get('/pets/1', headers),
      await v2.get(`/pets/${missingId}`, headers),
    ]) {
      equal(headerOf(response, 'Access-Control-Allow-Origin'), '*', 'the origin', response.request);
      expectNoHeader(response, 'Access-Control-Allow-Credentials');
      equal(headerOf(response, 'X-Content-Type-Options'), 'nosniff', 'the option', response.request);
    }
  });
}
