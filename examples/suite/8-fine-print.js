// Documented behavior that hardly anyone tests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './7-events.js';
import { call, isError, listed, place } from './store.js';

test('the list of version 1 is always complete', async () => {
  assert.deepEqual((await call('GET v1/store/orders?limit=3')).body, await listed());
});

test('a client with the list revalidates it by ETag', async () => {
  const tag = (await call('GET v1/store/orders')).headers.get('etag');
  const again = () => call('GET v1/store/orders', { headers: { 'if-none-match': tag } });
  assert.equal((await again()).status, 304);
  await place();
  assert.equal((await again()).status, 200);
});

test('an ID has only one spelling', async () => {
  const { id } = await place();
  isError(await call(`DELETE v1/store/orders/0${id}`), 404, 'not_found');
});

test('deprecated operations announce their sunset', async () => {
  assert.match((await call('GET v1/pets/1')).headers.get('deprecation'), /^@\d+$/);
});

test('IDs are exact to 64 bits', async () => {
  await call('POST v2/sandbox/reset', { body: { dataSet: 'int64' } });
  const ids = (await listed()).map(({ id }) => String(id));
  assert.ok(ids.includes('9007199254740993') && ids.includes('9223372036854775807'));
});
