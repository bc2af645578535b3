import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slowIt } from '../../server/test/support/slow-it.ts';
import { dist } from '../scripts/build.ts';
import { readJson } from '../src/api/http.ts';
import { relativeTime } from '../src/format.ts';
import { violations } from './support/axe.ts';
import {
  copy,
  dialog,
  goTo,
  joinAt,
  password,
  signUp,
  themes,
  type Visit,
  visit,
} from './support/browser.ts';
import { clipboard } from './support/clipboard.ts';
import { openConsole } from './support/open-console.ts';

const running = openConsole();
const background = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).backgroundColor);

describe.each(themes('dark'))('in the %s theme', (scheme) => {
  it('the landing page shows a new user where to start', async () => {
    await using visitor = await visit(running.browser, { scheme });
    const { page } = visitor;
    await page.goto(running.program.production);
    await page.getByText('Healthy').nth(1).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Copy command' }).click();
    await expect
      .poll(() => clipboard(page))
      .toBe(
        `export PETSTORE_URL=${running.program.production}/v1\nexport PETSTORE_KEY='<API_KEY>'\ncurl "$PETSTORE_URL/store/orders" \\\n  -H "Authorization: Bearer $PETSTORE_KEY"`,
      );
    for (const path of ['/docs', '/v1/openapi.json', '/v2/openapi.json', '/console']) {
      await page.locator(`main a[href="${path}"]`).first().waitFor();
      expect((await fetch(running.program.production + path)).status).toBe(200);
    }
    expect(visitor.complaints).toEqual([]);
  });

  describe('after signing in', () => {
    let visitor: Visit;
    let page: Page;
    beforeAll(async () => {
      visitor = await visit(running.browser, { scheme });
      page = visitor.page;
      await joinAt(page, running.program.production, '');
      await page.getByRole('heading', { name: '20 orders are waiting to ship' }).waitFor();
    });
    afterAll(() => visitor?.[Symbol.asyncDispose]());

    slowIt('without a connection, loaded data stays, and refreshes on reconnect', async () => {
      await visitor.context.setOffline(true);
      await page.getByText(/No connection/).waitFor();
      expect(await violations(page)).toEqual([]);
      await goTo(page, 'Keys');
      await page.getByRole('alert').filter({ hasText: "Can't reach the service" }).waitFor();
      expect(await violations(page, { isNew: true })).toEqual([]);
      await visitor.context.setOffline(false);
      await page.getByText('Live', { exact: true }).waitFor();
      await page.getByRole('button', { name: /^Roll first key/ }).waitFor();
    });

    slowIt('after a session ended in another tab, signing in returns to the same page', async () => {
      await goTo(page, 'Keys');
      await page.getByRole('button', { name: /^Roll first key/ }).waitFor();
      await page.evaluate(() =>
        fetch('/console/api/sign-out-everywhere', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        }),
      );
      await dialog(page).getByRole('heading', { name: 'Your session has ended' }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog(page).getByLabel('Password').fill('not that one, sorry');
      await dialog(page).getByRole('button', { name: 'Sign in' }).click();
      await dialog(page).getByText('Incorrect password.').waitFor();
      await dialog(page).getByLabel('Password').fill(password);
      await dialog(page).getByRole('button', { name: 'Sign in' }).click();
      await dialog(page).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: /^Roll first key/ }).waitFor();
      await goTo(page, 'Orders');
      await page.getByRole('row', { name: /Order 40 / }).waitFor();
    });
  });
});

slowIt('a filtered link survives the sign-in', async () => {
  await using visitor = await visit(running.browser);
  const { page, context } = visitor;
  const { email } = await signUp(page, running.program.production);
  await context.clearCookies();
  await page.goto(`${running.program.production}/console/orders?status=shipped&petId=4&sort=shipDate`);
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/console/orders?status=shipped&petId=4&sort=shipDate');
  await page.getByRole('row', { name: /Order 3 / }).waitFor();
  expect(await page.getByRole('rowheader').allTextContents()).toEqual(['3', '15', '27', '39']);
});

it('IDs beyond 2^53 are exact in the table, the URL and requests', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  await joinAt(page, running.program.production, '');
  const database = new DatabaseSync(join(running.program.folder, 'production.db'), { timeout: 60_000 });
  database.exec('UPDATE stores SET next_order_id = 9007199254740993, next_pet_id = 9223372036854775806');
  database.close();

  await goTo(page, 'Pets');
  await page.getByRole('button', { name: 'Add pet' }).click();
  await dialog(page).getByLabel('Name').fill('Methuselah');
  await dialog(page).getByLabel('Category').fill('tortoise');
  await dialog(page).getByRole('button', { name: 'Add pet' }).click();
  await page.getByRole('listitem').filter({ hasText: '9223372036854775806' }).waitFor();

  await goTo(page, 'Orders');
  await page.getByRole('button', { name: 'Place order' }).click();
  await dialog(page).getByLabel('Pet').selectOption('9223372036854775806');
  await dialog(page).getByRole('button', { name: 'Place order' }).click();
  await page.getByRole('link', { name: 'Order 9007199254740993' }).click();
  await page.waitForURL('**/console/orders/9007199254740993');
  await page.getByText('"petId": 9223372036854775806').waitFor();
  await page.getByRole('button', { name: 'Cancel order 9007199254740993' }).click();
  await dialog(page).getByRole('button', { name: 'Cancel order', exact: true }).click();
  await page.getByRole('listitem').getByText('Cancelled').waitFor();
});

it('staging cannot be mistaken for production', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  const bands: string[] = [];
  for (const origin of [running.program.production, running.program.staging]) {
    await joinAt(page, origin, '');
    await page.getByRole('heading', { level: 1 }).waitFor();
    bands.push(
      `${await page.locator('header').first().textContent()} ${await background(page, 'header > div')}`,
    );
    if (origin === running.program.staging) expect(await violations(page)).toEqual([]);
  }
  expect(bands[0]).toMatch(/^Production/);
  expect(bands[1]).toMatch(/^Staging/);
  expect(bands[0]?.split(' ').slice(-3)).not.toEqual(bands[1]?.split(' ').slice(-3));
  expect(await page.title()).toMatch(/^Staging: /);
  expect(await page.locator('link[rel=icon]').getAttribute('href')).toContain('staging');
});

it('an order that exceeds the stock is rejected with an explanation', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  await joinAt(page, running.program.production, '/orders');
  await page.getByRole('button', { name: 'Place order' }).click();
  await dialog(page).getByLabel('Pet').selectOption({ label: 'Shelly (tortoise): 4 in stock' });
  await dialog(page).getByLabel('Quantity').fill('5');
  await dialog(page).getByRole('button', { name: 'Place order' }).click();
  await dialog(page).getByText('Shelly has 4 units left, and you ordered 5.').waitFor();
  await dialog(page).getByLabel('Quantity').fill('4');
  await dialog(page).getByRole('button', { name: 'Place order' }).click();
  await page
    .getByRole('row', { name: /Shelly.* 4 Pending/ })
    .first()
    .waitFor();
});

slowIt('an order whose response was lost is placed once, even if resent while in progress', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  const { key } = await joinAt(page, running.program.production, '/orders');
  const keys: Array<string | undefined> = [];
  await page.route('**/v2/store/orders', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length === 2) {
      const json = { code: 'idempotency_key_in_use', message: 'It is still under way.' };
      return route.fulfill({ status: 409, json });
    }
    if (keys.length > 2) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Place order' }).click();
  await dialog(page).getByLabel('Pet').selectOption({ label: 'Shelly (tortoise): 4 in stock' });
  await dialog(page).getByRole('button', { name: 'Place order' }).click();
  await dialog(page).getByText("We don't know if the order was placed").waitFor();
  await dialog(page).getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => keys.length).toBe(2);
  await dialog(page).getByRole('button', { name: 'Try again' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  expect(new Set(keys).size).toBe(1);
  const listed = await fetch(`${running.program.production}/v1/store/orders`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(await listed.json()).toHaveLength(41);
});

it('with the keyboard only, a dialog opens, traps focus and restores it', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  await joinAt(page, running.program.production, '/orders/2');
  await page.getByRole('button', { name: 'Cancel order 2' }).waitFor();
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to content');
  await page.getByRole('button', { name: 'Cancel order 2' }).focus();
  await page.keyboard.press('Enter');
  await dialog(page).waitFor();
  const seen = new Set([await focused(page)]);
  for (let presses = 0; presses < 6; presses += 1) {
    await page.keyboard.press('Tab');
    seen.add(await focused(page));
  }
  seen.delete('');
  expect([...seen].sort()).toEqual(['Cancel order', 'Close', 'Keep order']);
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  expect(await focused(page)).toBe('Cancel order 2');
});

const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return '';
    return element.getAttribute('aria-label') ?? element.textContent ?? '';
  });

slowIt('without a clipboard, copying leaves the focus where it is', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await signUp(page, running.program.production);
  const copied = page.locator('button:focus').and(page.getByRole('button', { name: 'Copied key' }));
  await Promise.all([copied.waitFor(), copy(page, 'key')]);
});

it('a truncated response counts as a lost one', async () => {
  const cut = new ReadableStream({ pull: (response) => response.error(new TypeError('network error')) });
  await expect(readJson(new Response(cut))).rejects.toMatchObject({ mayBeDone: true });
});

it('the selected theme is saved', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  await page.goto(`${running.program.production}/console/sign-in`);
  const light = await background(page, 'html');
  await page.getByRole('radio', { name: 'Dark' }).check();
  const dark = await background(page, 'html');
  expect(dark).not.toBe(light);
  await page.reload();
  expect(await background(page, 'html')).toBe(dark);
});

it('the first load is under 200 KB of compressed script', () => {
  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  const scripts = [...page.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+\.js)"/g)].map(
    ([, name]) => name ?? '',
  );
  const sizes = scripts.map((name) => readFileSync(join(dist, `${name}.gz`)).length);
  expect(scripts.length).toBeGreaterThan(1);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(200_000);
});

it('days from now follow the calendar', () => {
  const now = Date.parse('2026-11-15T19:25:00Z');
  const output = [
    '2026-11-16T20:00:00Z',
    '2026-11-17T09:00:00Z',
    '2026-11-14T01:00:00Z',
    '2026-11-15T22:30:00Z',
  ];
  expect(output.map((text) => relativeTime(text, now))).toEqual([
    'tomorrow',
    'in 2 days',
    'yesterday',
    'in 3 hours',
  ]);
});

slowIt('a partly filled form survives a failure to read the session', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  let requests = 0;
  await page.route('**/console/api/session', (route) => {
    requests += 1;
    return route.abort();
  });
  await page.goto(`${running.program.production}/console/sign-in`);
  await page.getByLabel('Email').fill('someone@example.com');
  await expect.poll(() => requests).toBe(3);
  await page.evaluate(() => new Promise((shown) => setTimeout(() => requestAnimationFrame(shown), 100)));
  expect(await page.getByLabel('Email').inputValue()).toBe('someone@example.com');
});

slowIt('an unreadable history is reported', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  const body = JSON.stringify({ code: 'unavailable', message: 'Try again.', status: 503 });
  await page.route('**/history', (route) =>
    route.fulfill({ status: 503, contentType: 'application/json', body }),
  );
  await joinAt(page, running.program.production, '/orders/5');
  await page.getByRole('region', { name: 'History' }).getByRole('button', { name: 'Try again' }).waitFor();
});
