// Lost responses and retries.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './4-rules.js';
import { call, isError, stockOf } from './store.js';

test('a repeated placement is the same order', async () => {
  const send = (quantity) =>
    call('POST v2/store/orders', { body: { petId: 1, quantity }, headers: { 'idempotency-key': 'once' } });
  const before = await stockOf(1);
  const first = await send(1);
  const again = await send(1);
  assert.deepEqual(again.body, first.body);
  assert.equal(await stockOf(1), before - 1);
  assert.equal(first.headers.get('idempotent-replayed'), null);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  isError(await send(2), 422, 'idempotency_key_reused');
});
