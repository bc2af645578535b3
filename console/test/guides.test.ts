import { expect, it } from 'vitest';
import { errorCodes } from '../../server/src/http/errors.ts';
import { everyTheme } from '../../server/test/support/effort.ts';
import { errorWords } from '../build/error-words.ts';
import { violations } from './support/axe.ts';
import { visit } from './support/browser.ts';
import { openConsole } from './support/open-console.ts';

const running = openConsole();

it('every error code has a cause and a remedy', () => {
  expect(Object.keys(errorWords())).toEqual(expect.arrayContaining(Object.keys(errorCodes)));
});

it('the guides lead to each other and to each error, and nowhere that is not there', async () => {
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
    expect(await violations(page, { contrast: /errors|testing/.test(href) || everyTheme }), href).toEqual([]);
    for (const link of await page.getByRole('link').evaluateAll(links))
      if (link.startsWith('/')) led.add(link.replace(/#.*/, ''));
  }
  for (const path of led) expect([path, (await fetch(production + path)).status]).toEqual([path, 200]);
  await page.goto(`${production}/guides/errors#order_already_shipped`);
  await page.locator('h3:target').getByText('order_already_shipped').waitFor();
  expect((await fetch(`${production}/guides/nothing`)).status).toBe(404);
  expect(complaints).toEqual([]);
});

const links = (found: Element[]) => found.map((link) => link.getAttribute('href') ?? '');
