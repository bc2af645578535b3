// All pages, and the boundaries of every filter.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './5-lost-responses.js';
import { call, isError } from './store.js';

const page = async (query) => (await call(`GET v2/store/orders?${query}`)).body;
const ids = ({ data }) => data.map(({ id }) => id);

test('pages have every order exactly once', async () => {
  const pages = [await page('limit=7')];
  while (pages.at(-1).nextCursor) pages.push(await page(`limit=7&cursor=${pages.at(-1).nextCursor}`));
  assert.equal(pages[0].data.length, 7);
  assert.deepEqual(pages.flatMap(ids), ids(await page('limit=1000')));
});

test('a filter may have several values', async () => {
  const { data } = await page('status=shipped,delivered&limit=1000');
  assert.deepEqual(new Set(data.map(({ status }) => status)), new Set(['shipped', 'delivered']));
});

test('a range includes its start and excludes its end', async () => {
  const [{ id, shipDate }] = (await page('limit=1')).data;
  assert.ok(ids(await page(`limit=1000&shipDateFrom=${shipDate}`)).includes(id));
  assert.ok(!ids(await page(`limit=1000&shipDateTo=${shipDate}`)).includes(id));
});

test('unknown parameters are rejected', async () => {
  isError(await call('GET v2/store/orders?colour=brown'), 400, 'invalid_parameter');
  const { nextCursor } = await page('limit=7');
  const other = `GET v2/store/orders?limit=7&status=pending&cursor=${nextCursor}`;
  isError(await call(other), 400, 'invalid_cursor');
});
