// The tests everyone writes first: the happy path.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call } from './store.js';

test('orders are listed', async () => {
  const { status, body } = await call('GET v1/store/orders');
  assert.equal(status, 200);
  assert.ok(body.length > 0);
});

test('an order is cancelled', async () => {
  assert.equal((await call('DELETE v1/store/orders/2')).status, 204);
});

test('pets are listed', async () => {
  const { body } = await call('GET v1/pets');
  assert.equal(body.length, 12);
});
