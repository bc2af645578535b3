import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { copy, dialog, goTo, signUp, themes, type Visit, visit } from './support/browser.ts';
import { clipboard } from './support/clipboard.ts';
import { openConsole } from './support/open-console.ts';

const running = openConsole();
const call = (path: string, key: string, method = 'GET') =>
  fetch(`${running.program.production}${path}`, { method, headers: { authorization: `Bearer ${key}` } });

describe.each(themes('light'))('from sign-up to sign-out, in the %s theme', (scheme) => {
  let visitor: Visit;
  let page: Page;
  let key: string;

  beforeAll(async () => {
    visitor = await visit(running.browser, { scheme });
    page = visitor.page;
  });
  afterAll(() => visitor?.[Symbol.asyncDispose]());

  // Each step begins where the one before it ended.
  let stuck = false;
  beforeEach(({ skip, onTestFailed }) => {
    skip(stuck, 'an earlier step failed');
    onTestFailed(() => {
      stuck = true;
    });
  });

  it('a new user signs up, copies the key and calls the API with it', async () => {
    await page.goto(`${running.program.production}/console/sign-up`);
    await page.getByRole('heading', { name: 'Create your account' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await signUp(page, running.program.production);
    await copy(page, 'key');
    key = await clipboard(page);
    expect(key).toMatch(/^pst_live_[A-Za-z0-9]{38}$/);
    await page.getByText('Waiting for your first request').waitFor();
    expect(await violations(page)).toEqual([]);

    const response = await call('/v1/store/orders', key);
    expect(response.status).toBe(200);
    expect(await response.json()).toHaveLength(40);
  });

  it('the console waits for the first call and shows it on arrival', async () => {
    await page.getByText('First request received').waitFor();
    await page.getByRole('link', { name: 'GET /v1/store/orders' }).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('the overview shows the store', async () => {
    await page.getByRole('link', { name: /I've saved it/ }).click();
    await page.getByRole('heading', { name: '20 orders are waiting to ship' }).waitFor();
    await page.getByText('Healthy').nth(1).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('an order is placed, and the filters that find it are in the URL', async () => {
    await goTo(page, 'Orders');
    await page.getByRole('button', { name: 'Place order' }).click();
    await dialog(page).getByLabel('Pet').selectOption({ label: 'Rex (dog): 24 in stock' });
    await dialog(page).getByLabel('Quantity').fill('2');
    expect(await violations(page, { isNew: true })).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Place order' }).click();
    await page.getByRole('row', { name: /Order 41 .*Rex/ }).waitFor();

    await page.getByRole('checkbox', { name: 'Pending' }).check();
    await page.getByText('More filters').click();
    await page.getByRole('combobox', { name: 'Pet', exact: true }).selectOption({ label: 'Rex (dog, 1)' });
    await page.getByRole('link', { name: 'Ship date' }).click();
    await page.waitForURL((url) => url.search === '?status=pending&petId=1&sort=shipDate');
    await page.getByRole('row', { name: /Order 40 / }).waitFor({ state: 'detached' });
    expect(await page.getByRole('rowheader').allTextContents()).toEqual(['41', '36', '24', '12']);
    expect(await violations(page)).toEqual([]);
  });

  it('an order shipped through the API is updated live', async () => {
    await page.getByRole('link', { name: 'Order 41' }).click();
    await page.getByRole('heading', { name: 'Order 41' }).waitFor();
    await page.getByText('Order placed').waitFor();
    expect((await call('/v2/store/orders/41/ship', key, 'POST')).status).toBe(200);
    await page.getByRole('listitem').getByText('Shipped', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('a cancel is not offered when too late, and a lost race is explained', async () => {
    expect(await page.getByRole('button', { name: 'Cancel order 41' }).count()).toBe(0);
    await page.getByRole('link', { name: 'All orders' }).click();
    await page.getByRole('link', { name: 'Order 36' }).click();
    await page.getByRole('button', { name: 'Cancel order 36' }).click();
    expect((await call('/v2/store/orders/36/ship', key, 'POST')).status).toBe(200);
    await dialog(page).getByRole('button', { name: 'Cancel order', exact: true }).click();
    const rejection = dialog(page).getByRole('alert').filter({ hasText: 'Order 36' });
    await rejection.waitFor();
    const words = await rejection.textContent();
    expect(words).toMatch(/^Order 36 was not cancelledIt already shipped on /);
    expect(words).toContain("Shipping can't be reversed");
    expect(words).toContain('409 order_already_shipped');
    expect(await violations(page, { isNew: true })).toEqual([]);
    await page.keyboard.press('Escape');
  });

  it('a pending order is cancelled, and the API no longer lists it', async () => {
    await page.getByRole('link', { name: 'All orders' }).click();
    await page.waitForURL((url) => url.search === '?status=pending&petId=1&sort=shipDate');
    await goTo(page, 'Orders');
    await page.getByRole('button', { name: 'Cancel order 40' }).click();
    await dialog(page).getByRole('button', { name: 'Cancel order', exact: true }).click();
    await page.getByRole('row', { name: /Order 40 .*Cancelled/ }).waitFor();
    expect((await call('/v1/store/orders/40', key, 'DELETE')).status).toBe(404);
    expect(await (await call('/v2/store/orders/40', key)).json()).toMatchObject({ status: 'cancelled' });
  });

  it('a rolled key stops working; its successor works until it is revoked', async () => {
    await goTo(page, 'Keys');
    await page.getByRole('button', { name: `Roll first key, ending in ${key.slice(-4)}` }).click();
    await dialog(page).getByLabel('Immediately').check();
    expect(await violations(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Roll key' }).click();
    await copy(dialog(page), 'key');
    const successor = await clipboard(page);
    expect((await call('/v1/pets', key)).status).toBe(401);
    expect((await call('/v1/pets', successor)).status).toBe(200);
    await dialog(page).getByRole('button', { name: "I've saved it" }).click();
    await page.getByText('Revoked and expired keys').click();
    await page.getByText(`replaced by …${successor.slice(-4)}`).waitFor();

    await page.getByRole('button', { name: `Revoke first key, ending in ${successor.slice(-4)}` }).click();
    expect(await violations(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('No active keys').waitFor();
    expect((await call('/v1/pets', successor)).status).toBe(401);
    expect(await violations(page)).toEqual([]);
  });

  it('a new key has a name and an expiry', async () => {
    await page.getByRole('button', { name: 'Create key' }).click();
    await dialog(page).getByLabel('Name').fill('nightly export');
    await dialog(page).getByLabel('Expiration').selectOption('7 days');
    await dialog(page).getByRole('button', { name: 'Create key' }).click();
    await dialog(page).getByRole('button', { name: "I've saved it" }).click();
    const { data } = (await page.evaluate(async () => (await fetch('/console/api/keys')).json())) as {
      data: Array<{ name: string; expiresAt: string | null }>;
    };
    const created = data.find(({ name }) => name === 'nightly export');
    expect(Math.round((Date.parse(created?.expiresAt ?? '') - Date.now()) / 86_400_000)).toBe(7);
    await page.getByRole('listitem').filter({ hasText: 'nightly export' }).waitFor();
  });

  it('pets and account have no axe violations either', async () => {
    await goTo(page, 'Pets');
    await page.getByRole('heading', { name: 'Shelly' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await goTo(page, 'Account');
    await page.getByRole('heading', { name: 'Delete account' }).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('signing out ends the session', async () => {
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(async () => (await fetch('/console/api/session')).status)).toBe(204);
    await page.goBack();
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  });

  it('the browser reported no errors or violations', () => {
    expect(visitor.complaints).toEqual([]);
  });
});
