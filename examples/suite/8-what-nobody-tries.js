// What stands in the documents, and nobody tries.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './7-events.js';
import { call, isError, listed, place } from './store.js';

test('the list of version 1 is always whole', async () => {
  assert.deepEqual((await call('GET v1/store/orders?limit=3')).body, await listed());
});

test('who has the list is told when it changes', async () => {
  const tag = (await call('GET v1/store/orders')).headers.get('etag');
  const again = () => call('GET v1/store/orders', { headers: { 'if-none-match': tag } });
  assert.equal((await again()).status, 304);
  await place();
  assert.equal((await again()).status, 200);
});

test('an id is written in one way', async () => {
  const { id } = await place();
  isError(await call(`DELETE v1/store/orders/0${id}`), 404, 'not_found');
});

test('what will end says so', async () => {
  assert.match((await call('GET v1/pets/1')).headers.get('deprecation'), /^@\d+$/);
});

test('ids are exact to 64 bits', async () => {
  await call('POST v2/sandbox/reset', { body: { dataSet: 'int64' } });
  const ids = (await listed()).map(({ id }) => String(id));
  assert.ok(ids.includes('9007199254740993') && ids.includes('9223372036854775807'));
});
