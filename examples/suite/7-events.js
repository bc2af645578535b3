// Events: their order, and resuming.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './6-pages.js';
import { call, place, readStream } from './store.js';

test('every change of an order is an event with its state at that time', async () => {
  const { data: past } = (await call('GET v2/store/events?after=0&limit=1000')).body;
  const last = past.at(-1).id;
  const shipped = await place();
  await call(`POST v2/store/orders/${shipped.id}/ship`);
  const cancelled = await place();
  await call(`DELETE v2/store/orders/${cancelled.id}`);
  const { data } = (await call(`GET v2/store/events?after=${last}`)).body;
  assert.deepEqual(
    data.filter(({ type }) => type.startsWith('order.')).map(({ type }) => type),
    ['order.placed', 'order.shipped', 'order.placed', 'order.cancelled'],
  );
  assert.deepEqual(data[0].data, shipped);

  // A stream that was cut resumes after the last ID read.
  const events = await readStream(data.length, last);
  assert.deepEqual(
    events.map((event) => /^id: (\d+)$/m.exec(event)?.[1]),
    data.map(({ id }) => id),
  );
});
