// Every field of every element, and the complete state before and after a change.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './2-errors.js';
import { call, listed, place } from './store.js';

test('an order has five fields with their types', async () => {
  for (const order of await listed()) {
    assert.deepEqual(Object.keys(order), ['id', 'petId', 'quantity', 'shipDate', 'complete']);
    assert.deepEqual(
      [order.id, order.petId, order.quantity].map((number) => Number.isInteger(number)),
      [true, true, true],
    );
    assert.match(order.shipDate, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
});

test('the list is sorted by id', async () => {
  const { id } = await place();
  const ids = (await listed()).map((order) => order.id);
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  );
  assert.equal(ids.at(-1), id);
});

test('only the cancelled order disappears from the list', async () => {
  const { id } = await place();
  const before = await listed();
  await call(`DELETE v1/store/orders/${id}`);
  assert.deepEqual(
    await listed(),
    before.filter((order) => order.id !== id),
  );
});

test('an order is complete when delivered', async () => {
  const { body } = await call('GET v2/store/orders?limit=1000&status=delivered');
  const delivered = body.data.map(({ id }) => id);
  for (const { id, complete } of await listed()) assert.equal(complete, delivered.includes(id));
});

test('a pet without stock is sold, in both versions', async () => {
  await call('PATCH v2/pets/3', { body: { stock: 0 } });
  assert.equal((await call('GET v2/pets/3')).body.status, 'sold');
  assert.equal((await call('GET v1/pets')).body.find(({ id }) => id === 3).status, 'sold');
});
