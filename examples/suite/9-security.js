// Attacks: another store, another key, extra fields, excessive input.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import './8-fine-print.js';
import { call, isError, place } from './store.js';

const {
  PETSTORE_KEY: key,
  PETSTORE_OTHER_KEY: other,
  PETSTORE_READ_KEY: readOnly,
  PETSTORE_URL: v1,
} = process.env;
const order = (id) => `v2/store/orders/${id}`;

test("another store's orders are not shown, cancelled or counted", async () => {
  const before = (await call('GET v2/store/summary')).body.orders;
  const pets = [{ id: 1, name: 'Ada', category: 'cat', stock: 3 }];
  const data = { pets, orders: [{ id: 900001, petId: 1, quantity: 1 }] };
  await call('POST v2/sandbox/reset', { body: { data }, as: other });
  isError(await call(`GET ${order(900001)}`), 404, 'not_found');
  isError(await call('DELETE v1/store/orders/900001'), 404, 'not_found');
  assert.equal((await call(`GET ${order(900001)}`, { as: other })).body.status, 'pending');
  assert.deepEqual((await call('GET v2/store/summary')).body.orders, before);
});

test('a read-only key cancels nothing', async () => {
  isError(await call(`DELETE ${order((await place()).id)}`, { as: readOnly }), 403, 'forbidden');
});

test('a key that is altered, in the query, expired or ended is rejected', async () => {
  for (const as of [key.slice(0, -1), key.toUpperCase()])
    for (const path of ['v1/store/orders', 'v2/store/orders'])
      isError(await call(`GET ${path}`, { as }), 401, 'invalid_api_key');
  isError(await call(`GET v1/pets?api_key=${key}`, { as: null }), 401, 'missing_api_key');
  const { key: as } = (await call('POST v2/sandbox/stores', { body: { expiresIn: 60 } })).body;
  const headers = { prefer: 'now="2030-01-01T00:00:00Z"' };
  isError(await call('GET v2/pets', { as, headers }), 401, 'invalid_api_key');
  assert.equal((await call('GET v1/pets', { as })).status, 200);
  await call('DELETE v2/sandbox/stores/current', { as });
  isError(await call('GET v1/pets', { as }), 401, 'invalid_api_key');
});

test('there is no version 0', async () => {
  assert.equal((await fetch(`${v1.replace('/v1', '/v0')}/store/orders`)).status, 404);
});

test('clients cannot set what the service sets', async () => {
  for (const more of [{ status: 'delivered' }, { placedAt: '2020-01-01T00:00:00.000Z' }])
    isError(
      await call('POST v2/store/orders', { body: { petId: 1, quantity: 1, ...more } }),
      400,
      'invalid_body',
    );
  isError(await call('PATCH v2/pets/4', { body: { status: 'sold' } }), 400, 'invalid_body');
});

test('requests are bounded, and the last unit is sold once', async () => {
  isError(await call('GET v2/store/orders?limit=100000'), 400, 'invalid_parameter');
  const body = { petId: 1, quantity: 1, note: 'x'.repeat(70_000) };
  isError(await call('POST v2/store/orders', { body }), 413, 'payload_too_large');
  const { id: petId } = (await call('POST v2/pets', { body: { name: 'Ada', category: 'cat', stock: 1 } }))
    .body;
  await place({ petId });
  isError(await call('POST v2/store/orders', { body: { petId, quantity: 1 } }), 409, 'insufficient_stock');
});

test('a store has a rate limit on request', async () => {
  const body = { expiresIn: 60, rateLimit: { requests: 3, seconds: 60 } };
  const { key: as } = (await call('POST v2/sandbox/stores', { body })).body;
  for (let count = 0; count < 3; count += 1) await call('GET v1/pets', { as });
  isError(await call('GET v1/pets', { as }), 429, 'rate_limited');
});

test('webhooks go to public web addresses, have secrets, and are signed', async (t) => {
  isError(
    await call('POST v2/webhooks', { body: { url: 'file:///etc/passwd' } }),
    422,
    'invalid_webhook_url',
  );
  const received = [];
  const receiver = createServer((request, response) => {
    received.push(request.headers);
    response.writeHead(204).end();
    receiver.emit('message');
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    receiver.close();
    receiver.closeAllConnections();
  });
  const url = `http://127.0.0.1:${receiver.address().port}/`;
  const { id } = (await call('POST v2/webhooks', { body: { url, types: ['store.reset'] } })).body;
  assert.ok(!('secret' in (await call(`GET v2/webhooks/${id}`)).body));
  const message = once(receiver, 'message');
  await call(`POST v2/webhooks/${id}/test`);
  await message;
  assert.match(received[0]['webhook-signature'] ?? '', /^v1,/);
  await call(`DELETE v2/webhooks/${id}`);
});

test('responses leak nothing', async () => {
  assert.doesNotMatch((await call('POST v2/pets', { body: { name: 'Ada' } })).body.message, /\n/);
  const { headers } = await call('GET v1/store/orders', { headers: { origin: 'https://evil.example' } });
  assert.equal(headers.get('access-control-allow-credentials'), null);
  assert.equal((await call('GET v2/pets/1')).headers.get('x-content-type-options'), 'nosniff');
});
