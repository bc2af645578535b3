// Business rules: allowed transitions, and invariants.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './3-every-field.js';
import { call, isError, place, stockOf } from './store.js';

const order = (id) => `v2/store/orders/${id}`;

test('a placed order is at its Location, as requested', async () => {
  const body = { petId: 1, quantity: 2, shipDate: '2031-02-03T04:05:06.000Z' };
  const placed = await call('POST v2/store/orders', { body });
  assert.equal(placed.headers.get('location'), `/v2/store/orders/${placed.body.id}`);
  assert.equal(placed.body.shipDate, body.shipDate);
  assert.deepEqual((await call(`GET ${order(placed.body.id)}`)).body, placed.body);
});

test('an order is pending, shipped, delivered, once each', async () => {
  const { id, shipDate } = await place({ shipDate: '2031-02-03T04:05:06Z' });
  isError(await call(`POST ${order(id)}/deliver`), 409, 'invalid_transition');
  const shipped = (await call(`POST ${order(id)}/ship`)).body;
  assert.notEqual(shipped.shipDate, shipDate);
  isError(await call(`POST ${order(id)}/ship`), 409, 'invalid_transition');
  await call(`POST ${order(id)}/deliver`);
  const { data } = (await call(`GET ${order(id)}/history`)).body;
  assert.deepEqual(
    data.map(({ status }) => status),
    ['pending', 'shipped', 'delivered'],
  );
});

test('a cancelled order stays in version 2, and cannot be cancelled again', async () => {
  const { id } = await place();
  await call(`DELETE ${order(id)}`);
  assert.equal((await call(`GET ${order(id)}`)).body.status, 'cancelled');
  isError(await call(`DELETE ${order(id)}`), 409, 'order_already_cancelled');
});

test('an order takes stock, and its cancel returns it', async () => {
  const before = await stockOf(2);
  const { id } = await place({ petId: 2, quantity: 3 });
  assert.equal(await stockOf(2), before - 3);
  await call(`DELETE ${order(id)}`);
  assert.equal(await stockOf(2), before);
});

test('quantity is limited to the stock and is not zero', async () => {
  const body = { petId: 2, quantity: (await stockOf(2)) + 1 };
  isError(await call('POST v2/store/orders', { body }), 409, 'insufficient_stock');
  for (const quantity of [0, 1001])
    isError(await call('POST v2/store/orders', { body: { petId: 2, quantity } }), 400, 'invalid_body');
});

test('the summary matches the list', async () => {
  await call(`DELETE ${order((await place()).id)}`);
  const { orders } = (await call('GET v2/store/summary')).body;
  const { data } = (await call('GET v2/store/orders?limit=1000')).body;
  for (const status of ['pending', 'shipped', 'delivered', 'cancelled'])
    assert.equal(orders[status], data.filter((one) => one.status === status).length);
});
