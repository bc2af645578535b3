// Half of every API: what must fail, and how.
import { test } from 'node:test';
import './1-first-tests.js';
import { call, isError, place } from './store.js';

test('every request needs a key', async () => {
  for (const path of ['v1/store/orders', 'v1/pets', 'v1/pets/1'])
    isError(await call(`GET ${path}`, { as: null }), 401, 'missing_api_key');
  isError(await call('GET v1/store/orders', { as: 'pst_test_wrong' }), 401, 'invalid_api_key');
});

test('a missing order cannot be cancelled', async () => {
  isError(await call('DELETE v1/store/orders/4711'), 404, 'not_found');
});

test('an order is cancelled only once', async () => {
  const { id } = await place();
  await call(`DELETE v1/store/orders/${id}`);
  isError(await call(`DELETE v1/store/orders/${id}`), 404, 'not_found');
});

test('shipped and delivered orders cannot be cancelled', async () => {
  const { id } = await place();
  for (const step of ['ship', 'deliver']) {
    await call(`POST v2/store/orders/${id}/${step}`);
    isError(await call(`DELETE v1/store/orders/${id}`), 409, 'order_already_shipped');
  }
});

test('a missing pet is 404', async () => {
  isError(await call('GET v1/pets/4711'), 404, 'not_found');
});
