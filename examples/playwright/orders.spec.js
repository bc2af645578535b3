// Run on staging: npm install && npx playwright test. API tests need no browser.
import { test as base, expect } from '@playwright/test';

const v2 = process.env.PETSTORE_URL.replace(/(\/v1)?\/?$/, '/v2/');

/** Every test has its own store, so that all of them can run in parallel. */
const test = base.extend({
  store: async ({ request, playwright, baseURL }, use) => {
    const opened = await request.post(`${v2}sandbox/stores`, { data: { dataSet: 'int64' } });
    const { key } = await opened.json();
    const extraHTTPHeaders = { Authorization: `Bearer ${key}` };
    const store = await playwright.request.newContext({ baseURL, extraHTTPHeaders });
    await use(store);
    await store.delete(`${v2}sandbox/stores/current`);
    await store.dispose();
  },
});

/** IDs as text: a JavaScript number cannot represent all of them. */
const ids = (text) => [...text.matchAll(/"id":(\d+)/g)].map(([, id]) => id);

test('the connection works', async ({ store }) => {
  expect((await store.get('pets')).status()).toBe(200);
});

test('a list has every ID, exactly', async ({ store }) => {
  const text = await (await store.get('store/orders')).text();
  expect(ids(text)).toHaveLength(9);
  expect(ids(text)).toContain('9007199254740993');
});

test('a pending order is cancelled and no longer listed', async ({ store }) => {
  expect((await store.delete('store/orders/9007199254740993')).status()).toBe(204);
  expect(ids(await (await store.get('store/orders')).text())).not.toContain('9007199254740993');
  expect((await store.delete('store/orders/9007199254740993')).status()).toBe(404);
});

test('a shipped order is not cancelled', async ({ store }) => {
  const rejected = await store.delete('store/orders/9007199254740992');
  expect(rejected.status()).toBe(409);
  expect(await rejected.json()).toMatchObject({ code: 'order_already_shipped', status: 409 });
});

test('a wrong key is rejected', async ({ request }) => {
  const rejected = await request.get('pets', { headers: { Authorization: 'Bearer pst_test_wrong' } });
  expect(rejected.status()).toBe(401);
});
