import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { everyTheme } from '../../server/test/support/effort.ts';
import { slowIt } from '../../server/test/support/slow-it.ts';
import { violations } from './support/axe.ts';
import { copy, dialog, goTo, signUpByApi, type Visit, visit } from './support/browser.ts';
import { clipboard } from './support/clipboard.ts';
import { openConsole } from './support/open-console.ts';

const run = promisify(execFile);
const running = openConsole();

interface Keeper extends Visit {
  readonly key: string;
  call(path: string, method?: string, body?: object): Promise<Response>;
}

/** Someone with a store, looking at its orders. */
async function keeper(width?: number, origin = running.program.production): Promise<Keeper> {
  const visitor = await newcomer(width, origin);
  await visitor.page.goto(`${origin}/console/orders`);
  await visitor.page.getByRole('row', { name: /Order 40 / }).waitFor();
  return visitor;
}

/** Someone with a store, before its first page. */
async function newcomer(width?: number, origin = running.program.production): Promise<Keeper> {
  const visitor = await visit(running.browser, width === undefined ? {} : { width });
  const { key } = await signUpByApi(visitor.context, origin);
  const call = (path: string, method = 'GET', body?: object) =>
    fetch(`${origin}/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  return { ...visitor, key, call };
}

const row = (page: Page, id: number) => page.getByRole('row', { name: new RegExp(`Order ${id} `) });
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName);

it('an order opens by its exact number, and by a click anywhere on its row', async () => {
  await using visitor = await keeper();
  const { page } = visitor;
  const goToOrder = page.getByLabel('Go to order');
  const place = await goToOrder.boundingBox();
  await goToOrder.fill('9223372036854775808');
  await goToOrder.press('Enter');
  await page.getByText('The largest order ID is 9223372036854775807').waitFor();
  expect(await goToOrder.boundingBox()).toEqual(place);
  await goToOrder.fill('#40');
  await goToOrder.press('Enter');
  await page.waitForURL('**/console/orders/40');
  await page.goBack();
  await goToOrder.fill('9007199254740993');
  await goToOrder.press('Enter');
  await page.waitForURL('**/console/orders/9007199254740993');
  await page.getByText('This store has no order 9007199254740993.').waitFor();
  await page.goBack();
  await page.getByRole('checkbox', { name: 'Pending', exact: true }).check();
  await row(page, 38).getByText('Pending', { exact: true }).click();
  await page.waitForURL('**/console/orders/38');
  await page.reload();
  await page.getByRole('link', { name: 'All orders' }).click();
  await page.waitForURL('**/console/orders?status=pending');
  expect(visitor.complaints).toEqual([]);
});

it('on a phone the entire row opens the order, and its actions are there', async () => {
  await using visitor = await keeper(360);
  const { page } = visitor;
  await page.getByRole('button', { name: 'Actions for order 40' }).click();
  expect(await violations(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Ship order 40' }).click();
  await dialog(page).getByRole('button', { name: 'Ship order', exact: true }).click();
  await row(page, 40).getByText('Shipped', { exact: true }).waitFor();
  await row(page, 40).getByText('× 1').click();
  await page.waitForURL('**/console/orders/40');
});

it('several orders are shipped or cancelled together, with each outcome shown', async () => {
  await using visitor = await keeper();
  const { page, call } = visitor;
  const place = await row(page, 38).boundingBox();
  for (const id of [40, 38, 36, 34]) await page.getByLabel(`Select order ${id}`).check();
  expect(await row(page, 38).boundingBox()).toEqual(place);
  await page.getByRole('button', { name: 'Cancel 4' }).click();
  await dialog(page).getByRole('heading', { name: 'Cancel 4 orders?' }).waitFor();
  // Another client is faster with one of them.
  await call('/store/orders/36/ship', 'POST');
  await dialog(page).getByRole('button', { name: 'Cancel 4 orders' }).click();
  await dialog(page).getByText('3 of 4 cancelled').waitFor();
  const outcomes = dialog(page).getByRole('list', { name: 'Results' }).getByRole('listitem');
  expect(await outcomes.filter({ hasText: /^\d+cancelled$/ }).count()).toBe(3);
  expect(await outcomes.filter({ hasText: /^36/ }).textContent()).toContain('already shipped');
  expect(await violations(page, { isNew: true })).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  for (const id of [40, 38, 34]) await row(page, id).getByText('Cancelled', { exact: true }).waitFor();

  await page.getByRole('checkbox', { name: 'Pending', exact: true }).check();
  await row(page, 36).waitFor({ state: 'detached' });
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: 'Ship 16' }).click();
  await dialog(page).getByRole('button', { name: 'Ship 16 orders' }).click();
  await dialog(page).getByText('16 of 16 shipped').waitFor();
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('No orders match these filters').waitFor();
});

slowIt('focus stays on or near the button after an action', async () => {
  await using visitor = await keeper();
  const { page } = visitor;
  const act = async (name: string, verb: string) => {
    await page.getByRole('button', { name }).focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('button', { name: verb }).press('Enter');
    await dialog(page).waitFor({ state: 'detached' });
  };
  await act('Ship order 40', 'Ship order');
  await row(page, 40).getByText('Shipped', { exact: true }).waitFor();
  await expect.poll(() => focused(page)).toBe('Deliver order 40');
  await act('Cancel order 38', 'Cancel order');
  await row(page, 38).getByText('Cancelled', { exact: true }).waitFor();
  await expect.poll(() => focused(page)).toBe('Order 38');
  await page.getByRole('checkbox', { name: 'Pending', exact: true }).check();
  await row(page, 40).waitFor({ state: 'detached' });
  await act('Ship order 34', 'Ship order');
  await row(page, 34).waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toMatch(/order 32/);
});

slowIt('a list and an order can be copied as working API calls', async () => {
  await using visitor = await keeper();
  const { page, key } = visitor;
  const runners = [
    ['curl', 'sh', '-c'],
    ['JavaScript', process.execPath, '--input-type=module', '-e'],
    ['Python', 'python3', '-c'],
  ] as const;
  const runAll = async (expected: string[]) => {
    for (const [language, runner, ...flags] of runners) {
      await page.getByRole('tab', { name: language }).click();
      await copy(page, `${language} snippet`);
      const { stdout } = await run(runner, [...flags, await clipboard(page)], {
        env: { ...process.env, PETSTORE_KEY: key },
      });
      const ids = [...stdout.matchAll(/\bid['"]?: ?(\d+)/g)].map(([, id]) => id);
      expect(ids, language).toEqual(expected);
    }
  };
  // Version 1 has no cancelled orders, which the page shows.
  await page.getByRole('button', { name: 'View code' }).click();
  await dialog(page).getByText('/v2/store/orders?').waitFor();
  await page.goto(`${running.program.production}/console/orders?status=shipped&petId=4&sort=shipDate`);
  await row(page, 3).waitFor();
  await page.getByRole('button', { name: 'View code' }).click();
  await runAll(['3', '15', '27', '39']);
  await page.goto(`${running.program.production}/console/orders/3`);
  await page.getByText('Order placed').waitFor();
  await runAll(['3']);
});

it('all matching orders are exported exactly, and no name becomes a formula', async () => {
  await using visitor = await keeper(undefined, running.program.staging);
  const { page, call } = visitor;
  expect((await call('/sandbox/reset', 'POST', { dataSet: 'int64' })).status).toBe(200);
  const created = await call('/pets', 'POST', { name: '=1+2,"x"', category: 'dog', stock: 5 });
  const { id: petId } = (await created.json()) as { id: number };
  await call('/store/orders', 'POST', { petId, quantity: 2 });
  await row(page, 1001).waitFor();

  const saved = async (format: 'CSV' | 'JSON') => {
    await page.getByRole('button', { name: 'Export' }).click();
    await dialog(page).getByRole('radio', { name: format }).check();
    expect(await violations(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog(page).getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`orders.${format.toLowerCase()}`);
    return readFileSync(await download.path(), 'utf8');
  };
  const csv = (await saved('CSV')).split('\r\n');
  expect(csv[0]).toBe('id,petId,petName,quantity,shipDate,complete,status,placedAt,updatedAt');
  expect(csv).toHaveLength(12);
  expect(csv[1]).toMatch(/^9223372036854775807,\d+,/);
  expect(csv[2]).toMatch(/^9223372036854775806,/);
  expect(csv.find((line) => line.startsWith('1001,'))).toContain(`1001,${petId},"'=1+2,""x""",2,`);

  await page.getByRole('checkbox', { name: 'Pending', exact: true }).check();
  await page.waitForURL('**/console/orders?status=pending');
  const listed = await (await call('/store/orders?status=pending&sort=-id&limit=1000')).text();
  const json = await saved('JSON');
  expect(json.replaceAll(/,?\n/g, '')).toBe(
    listed
      .replace('{"data":', '')
      .replace(/,"nextCursor":null}$/, '')
      .replaceAll('},{', '}{'),
  );
  expect(visitor.complaints).toEqual([]);
});

slowIt('an action without a response is looked up when the service is back, and can be retried', async () => {
  await using visitor = await keeper();
  const { page, context } = visitor;
  // Done, but the response is lost with the connection.
  await page.route('**/v2/store/orders/40/ship', async (route) => {
    await route.fetch();
    await context.setOffline(true);
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Ship order 40' }).click();
  await dialog(page).getByRole('button', { name: 'Ship order', exact: true }).click();
  await dialog(page).getByText("We don't know if order 40 was shipped").waitFor();
  expect(await violations(page)).toEqual([]);
  await context.setOffline(false);
  await page.getByText('Order 40 shipped').waitFor();
  await dialog(page).waitFor({ state: 'detached' });

  // The request never arrived, and the service fails for longer than one poll.
  let stumbles = 4;
  await page.route('**/v2/store/orders/38/history', (route) => {
    stumbles -= 1;
    return stumbles < 0 ? route.continue() : route.fulfill({ status: 503, body: '' });
  });
  await page.getByRole('button', { name: 'Cancel order 38' }).click();
  await context.setOffline(true);
  await dialog(page).getByRole('button', { name: 'Cancel order', exact: true }).click();
  await dialog(page).getByText("We don't know if order 38 was cancelled").waitFor();
  await context.setOffline(false);
  await dialog(page).getByText('Order 38 was not cancelled').waitFor();
  await dialog(page).getByRole('button', { name: 'Try again' }).click();
  await row(page, 38).getByText('Cancelled', { exact: true }).waitFor();
});

slowIt('the overview and the pages count stores of any size', async () => {
  await using visitor = await keeper(undefined, running.program.staging);
  const { page, call } = visitor;
  await call('/sandbox/reset', 'POST', { dataSet: 'large', orders: 6000, seed: 3 });
  const summary = (await (await call('/store/summary')).json()) as {
    orders: Record<'pending' | 'shipped' | 'delivered' | 'cancelled', number>;
  };
  const { pending, shipped } = summary.orders;
  const text = (value: number) => value.toLocaleString('en-GB');
  const range = page.getByRole('navigation', { name: 'Pagination' }).getByRole('status');
  await range.getByText('1–25 of 6,000').waitFor();
  await page.getByRole('link', { name: 'Next' }).click();
  await range.getByText('26–50 of 6,000').waitFor();
  await page.reload();
  await range.getByText('25 orders of 6,000').waitFor();
  await page.getByRole('checkbox', { name: 'Pending', exact: true }).check();
  await page.getByRole('checkbox', { name: 'Shipped', exact: true }).check();
  await range.getByText(`1–25 of ${text(pending + shipped)}`).waitFor();
  await page.goto(`${running.program.staging}/console/orders?petId=1`);
  // Values missing from the summary are counted.
  const { data } = (await (await call('/store/orders?petId=1&limit=1000')).json()) as { data: unknown[] };
  await range.getByText(`1–25 of ${text(data.length)}`, { exact: true }).waitFor();

  await goTo(page, 'Overview');
  await page.getByRole('heading', { name: `${text(pending)} orders are waiting to ship` }).waitFor();
  await page.getByText('6,000 orders', { exact: true }).waitFor();
  const chart = page.getByRole('region', { name: 'Orders by ship date' });
  await chart.getByText('Show as table').click();
  const step = chart.getByRole('row').nth(1);
  const words = (await step.getByRole('cell').textContent()) ?? '';
  const sum = [...words.matchAll(/\d[\d,]*/g)].reduce((all, [n]) => all + Number(n.replace(',', '')), 0);
  await step.getByRole('link').click();
  await range
    .getByText(`of ${text(sum)}`)
    .or(range.getByText(`1–${sum} of`))
    .first()
    .waitFor();

  // Large counts stay on one line on a phone.
  await page.setViewportSize({ width: 320, height: 860 });
  await page.route('**/v2/store/summary', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ response, json: { ...body, orders: { ...body.orders, pending: 1_000_000 } } });
  });
  await page.goto(`${running.program.staging}/console`);
  const count = page.getByText('1,000,000', { exact: true });
  const size = await count.evaluate(({ scrollWidth, clientWidth, clientHeight }) => ({
    isCut: scrollWidth > clientWidth,
    isOneLine: clientHeight < 40,
  }));
  expect(size).toEqual({ isCut: false, isOneLine: true });
});

slowIt('the filters stay open while a date is retyped', async () => {
  await using visitor = await keeper();
  const { page } = visitor;
  await page.getByText('More filters').click();
  const from = page.getByLabel('Ships on or after');
  await from.fill('2026-11-20');
  await page.getByText('More filters (1)').waitFor();
  await from.fill('');
  await page.getByText('More filters', { exact: true }).waitFor();
  expect(await from.isVisible()).toBe(true);
  // By the calendar: a month and a day ahead of the day typed before.
  await from.fill('2026-12-31');
  await page.getByRole('button', { name: 'Open calendar' }).first().click();
  await page.getByRole('button', { name: 'Thursday, 31 December 2026' }).waitFor();
  for (const key of ['PageDown', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  await expect.poll(() => from.inputValue()).toBe('2027-02-01');
  await page.waitForURL(/shipDateFrom=2027-02-01T00/);
});

slowIt('data removed by a reset is not shown as if it existed', async () => {
  const { staging } = running.program;
  await using visitor = await keeper(undefined, staging);
  const { page, call } = visitor;
  await page.goto(`${staging}/console/orders?limit=10`);
  await page.getByRole('link', { name: 'Next' }).click();
  await row(page, 30).waitFor();
  await call('/sandbox/reset', 'POST', { dataSet: 'default' });
  await page.getByRole('alert').getByText('400 invalid_cursor').waitFor();
  await page.getByRole('link', { name: 'Show all orders' }).click();
  await row(page, 40).getByRole('link', { name: 'Order 40' }).click();
  await page.getByRole('button', { name: 'Ship order 40' }).waitFor();
  await call('/sandbox/reset', 'POST', { dataSet: 'empty' });
  await page.getByText('Order not found').waitFor();
  expect(await page.getByRole('button', { name: 'Ship order 40' }).count()).toBe(0);
});

slowIt(
  'a burst of changes causes few reads, none of which waits for the summary of a large store',
  async () => {
    await using visitor = await keeper();
    const { page, call } = visitor;
    await page.route('**/v2/store/summary', () => {});
    let readings = 0;
    const begun = performance.now();
    page.on('request', (request) => {
      if (request.url().includes('/v2/store/orders?')) readings += 1;
    });
    await call('/store/orders/40/ship', 'POST');
    await row(page, 40).getByText('Shipped').waitFor();
    for (let placed = 0; placed < 20; placed += 1) {
      await call('/store/orders', 'POST', { petId: 1, quantity: 1 });
      await page.evaluate(() => new Promise((over) => setTimeout(over, 100)));
    }
    await row(page, 60).waitFor();
    // About one per second, regardless of the duration of the changes.
    expect(readings).toBeLessThan(5 + (2 * (performance.now() - begun)) / 1_000);
  },
);

slowIt('an order’s buttons are visible on the smallest screen, whatever its pet is called', async () => {
  await using visitor = await keeper(360, running.program.staging);
  const { page, call } = visitor;
  const pets = [{ name: 'Bartholomew the Great', category: 'dog', stock: 3 }];
  const orders = [{ id: 12345, petId: 1, quantity: 1 }];
  await call('/sandbox/reset', 'POST', { data: { pets, orders } });
  await row(page, 12345).getByText('Bartholomew the Great').waitFor();
  const panel = await page.locator('.panel', { has: page.getByRole('table') }).boundingBox();
  const button = await page.getByRole('button', { name: 'Actions for order 12345' }).boundingBox();
  expect(edgeOf(button)).toBeLessThanOrEqual(edgeOf(panel));
});

const edgeOf = (box: { readonly x: number; readonly width: number } | null) =>
  (box?.x ?? 0) + (box?.width ?? 0);

slowIt('an action without a response on an order removed by a reset is reported as not done', async () => {
  await using visitor = await keeper(undefined, running.program.staging);
  const { page, call } = visitor;
  await page.goto(`${running.program.staging}/console/orders/40`);
  await page.getByRole('button', { name: 'Ship order 40' }).click();
  await page.route('**/orders/40/ship', async (route) => {
    await call('/sandbox/reset', 'POST', { dataSet: 'empty' });
    await route.abort();
  });
  await dialog(page).getByRole('button', { name: 'Ship order', exact: true }).click();
  await dialog(page).getByText('Order 40 was not shipped').waitFor();
});

slowIt('after a rejection, focus moves to the button that dismisses it', async () => {
  await using visitor = await keeper();
  const { page, call } = visitor;
  await page.getByRole('button', { name: 'Ship order 38', exact: true }).focus();
  await page.keyboard.press('Enter');
  await call('/store/orders/38', 'DELETE');
  await page.keyboard.press('Enter');
  await dialog(page).getByRole('heading', { name: 'Order not changed' }).waitFor();
  const text = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(text).toBe('OK');
});

slowIt(
  'a list URL accepts the same values as the API: repeated states, normalized numbers, far dates',
  async () => {
    await using visitor = await keeper(undefined, running.program.staging);
    const { page, call } = visitor;
    const console = `${running.program.staging}/console`;
    await page.goto(`${console}/orders?status=pending&status=shipped`);
    for (const name of ['Pending', 'Shipped'])
      await expect.poll(() => page.getByRole('checkbox', { name, exact: true }).isChecked()).toBe(true);
    await page.goto(`${console}/orders/007`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    const pets = [{ name: 'Ada', category: 'cat', stock: 1 }];
    const orders = [{ petId: 1, quantity: 1, shipDate: '9999-12-30T00:00:00Z' }];
    await call('/sandbox/reset', 'POST', { data: { pets, orders } });
    await page.goto(console);
    const chart = page.getByRole('region', { name: 'Orders by ship date' });
    await chart.getByText('Show as table').click();
    await chart.getByRole('row').getByRole('link').first().click();
    await row(page, 1).waitFor();
  },
);

slowIt('actions are visible at every width, and no ID or pet name wraps', async () => {
  await using visitor = await keeper(undefined, running.program.staging);
  const { page, call } = visitor;
  await call('/sandbox/reset', 'POST', { dataSet: 'int64' });
  const id = '9223372036854775807';
  const link = page.getByRole('link', { name: `Order ${id}` });
  const actions = page.getByRole('row', { name: new RegExp(`Order ${id} `) }).getByRole('button');
  await link.waitFor();
  const { name } = await (await call(`/pets/${id}`)).json();
  const pet = page.getByRole('row', { name: new RegExp(`Order ${id} `) }).getByText(name, { exact: true });
  const edges = (place: Locator) =>
    place.evaluate((element) => {
      const { left, right, height } = element.getBoundingClientRect();
      return { left, right, height };
    });
  for (const width of [320, 390, 640, 768, 1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 860 });
    const [tag, first] = [await edges(link), await edges(actions.filter({ visible: true }).first())];
    const [last, panel] = [
      await edges(actions.filter({ visible: true }).last()),
      await edges(page.locator('.panel').last()),
    ];
    const isInSight =
      tag.height < 40 &&
      (await edges(pet)).height < 40 &&
      tag.right <= first.left &&
      last.right <= panel.right &&
      panel.right <= width;
    expect(isInSight, `${width}: ${JSON.stringify({ tag, first, last, panel })}`).toBe(true);
  }
});

it.each(everyTheme ? [320, 390] : [320])(
  '%i pixels wide, no ID wraps on the pages of an order and of its request',
  async (width) => {
    await using visitor = await newcomer(width, running.program.staging);
    const { page, call } = visitor;
    await call('/sandbox/reset', 'POST', { dataSet: 'int64' });
    const id = '9223372036854775807';
    await call(`/store/orders/${id}/ship`, 'POST');
    const wrapped = () =>
      page.evaluate((text) => {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const found: string[] = [];
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const value = node.nodeValue ?? '';
          const start = value.indexOf(text);
          if (start < 0) continue;
          const range = document.createRange();
          range.setStart(node, start);
          range.setEnd(node, start + text.length);
          const lines = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)));
          if (lines.size > 1) found.push(`${node.parentElement?.tagName} ${value}`);
        }
        return found;
      }, id);
    await page.goto(`${running.program.staging}/console/orders/${id}`);
    const history = page.getByRole('region', { name: 'History' });
    const shipping = history.getByRole('link', { name: `/v2/store/orders/${id}/ship` });
    await shipping.waitFor();
    expect(await wrapped()).toEqual([]);
    // The buttons are as far apart as those of other pages, next to or below each other.
    const gap = (place: Locator) =>
      place.locator('xpath=..').evaluate((parent) => getComputedStyle(parent).gap);
    await page.goto(`${running.program.staging}/console/orders/1`);
    expect(await gap(page.getByRole('button', { name: 'Cancel order 1' }))).toBe('8px');
    await page.goBack();
    await shipping.click();
    await page.getByRole('heading', { name: `/v2/store/orders/${id}/ship` }).waitFor();
    expect(await wrapped()).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  },
);

it('rows are reached with the keyboard; the command palette finds orders, pets, requests, pages, guides, operations and actions', async () => {
  await using visitor = await keeper();
  const { page, call, context } = visitor;
  for (const key of ['j', 'j', 'j', 'k', 'k', 'x']) await page.keyboard.press(key);
  expect(await focused(page)).toBe('Order 40');
  await page.getByText('1 selected').waitFor();
  const row40 = row(page, 40);
  const colour = () => row40.evaluate((element) => getComputedStyle(element).backgroundColor);
  const selected = await colour();
  await row40.hover();
  expect(await colour()).toBe(selected);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/orders/40');

  const { headers } = await call('/pets/7');
  const results = dialog(page).getByRole('option');
  const find = async (text: string) => {
    await page.keyboard.press('Control+k');
    await results.first().waitFor();
    await page.keyboard.type(text);
  };
  const openFirst = async (text: string, name: RegExp) => {
    await find(text);
    await results.filter({ hasText: name }).first().waitFor();
    await page.keyboard.press('Enter');
  };
  await page.keyboard.press('?');
  await dialog(page).getByText('Next row').waitFor();
  expect(await violations(page, { isNew: true })).toEqual([]);
  await page.keyboard.press('Escape');
  await openFirst('9223372036854775807', /^Order 9223372036854775807$/);
  await page.waitForURL('**/console/orders/9223372036854775807');
  await openFirst('hazel', /Hazel/);
  await page.waitForURL('**/console/pets?q=9');
  await openFirst('webhooks', /^Webhooks$/);
  await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
  await openFirst('add webhook', /Add webhook/);
  await dialog(page).getByLabel('order.placed').waitFor();
  // Nothing resets a store on production.
  expect(await dialog(page).getByLabel('store.reset').count()).toBe(0);
  await page.keyboard.press('Escape');
  await openFirst('create key', /Create key/);
  await dialog(page).getByLabel('Name').waitFor();
  await page.keyboard.press('Escape');
  for (const [text, path] of [
    ['test a client', '/guides/testing'],
    ['v2 place an order', '/docs/v2/orders#placeOrder'],
  ] as const) {
    const [opened] = await Promise.all([context.waitForEvent('page'), openFirst(text, /./)]);
    // A page that is closed while it redirects may never report that it has.
    await opened.waitForURL(`**${path}`);
    await opened.close();
  }
  // The title counts more than the path, also for a text in capitals.
  await find('STORE');
  await results.filter({ hasText: 'Reset the store' }).waitFor();
  await page.keyboard.press('Escape');
  await find('no such thing');
  await dialog(page).getByText('Nothing matches “no such thing”.').waitFor();
  expect(await violations(page, { isNew: true })).toEqual([]);
  await page.keyboard.press('Escape');
  await expect
    .poll(async () => {
      await page.keyboard.press('Control+k');
      await results.first().waitFor();
      await page.keyboard.type(`${headers.get('x-request-id')}`);
      const found = await results.filter({ hasText: 'GET /v2/pets/7' }).count();
      if (found === 0) await page.keyboard.press('Control+k');
      return found;
    })
    .toBe(1);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/requests/*');
  expect(visitor.complaints).toEqual([]);
});
