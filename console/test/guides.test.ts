import { expect, it } from 'vitest';
import { errorCodes } from '../../server/src/http/errors.ts';
import { everyTheme } from '../../server/test/support/effort.ts';
import { errorWords } from '../build/error-words.ts';
import { violations } from './support/axe.ts';
import { visit } from './support/browser.ts';
import { clipboard } from './support/clipboard.ts';
import { openConsole } from './support/open-console.ts';

const running = openConsole();

it('every error code has a cause and a remedy', () => {
  expect(Object.keys(errorWords())).toEqual(expect.arrayContaining(Object.keys(errorCodes)));
});

it('the guides link to each other and to each error, with no broken links', async () => {
  await using visitor = await visit(running.browser, { width: 375 });
  const { page, complaints } = visitor;
  const { production } = running.program;
  await page.goto(production);
  await page.getByRole('link', { name: 'Guides' }).last().click();
  await page.getByRole('heading', { name: 'Guides' }).waitFor();
  const hrefs = await page.getByRole('main').getByRole('link').evaluateAll(links);
  for (const name of ['testing', 'errors', 'limits', 'migration']) expect(hrefs).toContain(`/guides/${name}`);
  const led = new Set<string>();
  for (const href of hrefs) {
    await page.goto(production + href);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), href).toBe(375);
    expect(await violations(page, { isNew: /errors|testing/.test(href) || everyTheme }), href).toEqual([]);
    for (const link of await page.getByRole('link').evaluateAll(links))
      if (link.startsWith('/')) led.add(link.replace(/#.*/, ''));
  }
  for (const path of led) expect([path, (await fetch(production + path)).status]).toEqual([path, 200]);
  // What is not served is named by its path in the repository.
  await page.goto(`${production}/guides/packages`);
  expect(await page.getByRole('main').textContent()).toContain('nginx.conf (docs/nginx.conf)');
  await page.goto(`${production}/guides/errors#order_already_shipped`);
  await page.locator('h3:target').getByText('order_already_shipped').waitFor();
  expect((await fetch(`${production}/guides/nothing`)).status).toBe(404);
  expect(complaints).toEqual([]);
});

it('on a phone, the start of a guide, its list entry and two-column tables are visible', async () => {
  await using visitor = await visit(running.browser, { width: 320 });
  const { page } = visitor;
  const { production } = running.program;
  await page.goto(`${production}/guides/decisions`);
  const brand = await page.getByRole('link', { name: 'Pet Store Service, home' }).boundingBox();
  const reference = await page.getByRole('link', { name: 'API reference' }).boundingBox();
  expect(brand && reference && brand.x + brand.width <= reference.x).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  const here = page
    .getByRole('navigation', { name: 'Guides' })
    .getByRole('link', { name: 'Design decisions' });
  const isInSight = async () => {
    const box = await here.boundingBox();
    return box !== null && box.x >= 0 && box.x + box.width <= 320;
  };
  await expect.poll(isInSight).toBe(true);

  await page.goto(`${production}/guides/testing#check-client`);
  const table = page.locator('.guide-table').filter({ hasText: 'PETSTORE_WEBHOOK_SECRET' });
  expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  // What the address names stays where it is while the list of guides is scrolled.
  await expect
    .poll(() => page.evaluate(() => document.querySelector(':target')?.getBoundingClientRect().top))
    .toBeLessThan(100);
});

it("examples contain the reader's address and can be copied; sections are found by search", async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  const { production, staging } = running.program;
  await page.goto(`${production}/guides/tour`);
  const code = page.locator('.guide-code').filter({ hasText: `export PETSTORE_URL=${staging}/v1` });
  await code.hover();
  await code.getByRole('button', { name: 'Copy' }).click();
  await code.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await clipboard(page)).toContain(`export PETSTORE_URL=${staging}/v1`);
  expect(await page.getByRole('main').textContent()).not.toMatch(/127\.0\.0\.1:808[01]/);
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link').nth(1).click();
  await page.locator('h2:target').waitFor();
  await page.getByRole('searchbox').fill('order_already_shipped');
  await page.getByRole('status').getByRole('link', { name: 'Errors: order_already_shipped' }).click();
  await page.locator('h3:target').getByText('order_already_shipped').waitFor();
  await page.getByRole('link', { name: 'Next: Limits' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(visitor.complaints).toEqual([]);
});

const links = (found: Element[]) => found.map((link) => link.getAttribute('href') ?? '');
