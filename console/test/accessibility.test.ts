import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { everyTheme } from '../../server/test/support/effort.ts';
import { slowIt } from '../../server/test/support/slow-it.ts';
import { violations } from './support/axe.ts';
import { joinAt, type Scheme, signUp, visit } from './support/browser.ts';
import { openConsole } from './support/open-console.ts';

const running = openConsole();

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);
const outside = ['/', '/console/sign-in', '/console/sign-up'];
const linked = ['Orders', 'Keys', 'Webhooks', 'Requests', 'Sandbox', 'Account', 'Overview'] as const;
const addressed = [
  '/pets',
  '/orders/3',
  '/orders/4040',
  '/nowhere',
  ...(everyTheme ? ['/orders?status=pending&petId=1'] : []),
];

/** Follows a link of the navigation, which a phone has behind "More". */
async function follow(page: Page, name: string): Promise<void> {
  const navigation = page.getByRole('navigation', { name: 'Console' });
  const link = navigation.getByRole('link', { name });
  if ((await link.count()) === 0) await navigation.getByRole('button', { name: 'More' }).click();
  await link.click();
  await page.locator('a[aria-current=page]', { hasText: name }).first().waitFor({ state: 'attached' });
}

/** The walks of the other files are in the light theme, at 1280 pixels. */
const others: Array<[Scheme, number]> = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
];

describe.each<[Scheme, number]>([['dark', 360], ...(everyTheme ? others : [])])(
  'in the %s theme, %i pixels wide',
  (scheme, width) => {
    it('pages have no axe violations and fit their window', async () => {
      await using visitor = await visit(running.browser, { scheme, width });
      const { page } = visitor;
      for (const path of outside) {
        await page.goto(running.program.staging + path);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        expect(await violations(page, { isNew: true }), path).toEqual([]);
      }
      await signUp(page, running.program.staging);
      expect(await violations(page, { isNew: true }), 'welcome').toEqual([]);
      expect(await widthOf(page), 'welcome').toBe(width);
      await page.getByRole('link', { name: /I've saved it/ }).click();
      for (const path of [...linked, ...addressed]) {
        if (path.startsWith('/')) await page.goto(`${running.program.staging}/console${path}`);
        else await follow(page, path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        // The stream of events stays open, so that the network is never idle.
        await page.waitForFunction(
          () => document.querySelector('.skeleton') === null && !document.body.innerText.includes('Loading…'),
        );
        expect(await widthOf(page), path).toBe(width);
        expect(await violations(page, { isNew: true }), path).toEqual([]);
      }
    });
  },
);

slowIt('a long word wraps instead of pushing content off-screen', async () => {
  await using visitor = await visit(running.browser, { width: 360 });
  const { page } = visitor;
  const origin = running.program.production;
  const { key } = await joinAt(page, origin, '/account');
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object) =>
    (await fetch(`${origin}/v2${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  const pet = await post('/pets', { name: 'W'.repeat(60), category: 'cat', stock: 2 });
  const order = await post('/store/orders', { petId: pet.id, quantity: 1 });
  const beyond = () =>
    page.evaluate(() => {
      const all = [document.documentElement, ...document.querySelectorAll('dialog[open]')];
      return all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length;
    });
  await page.goto(`${origin}/console/orders/${order.id}`);
  await page.getByText('W'.repeat(60)).first().waitFor();
  expect(await beyond()).toBe(0);
  await page.getByRole('button', { name: 'Cancel order' }).click();
  await page.getByRole('dialog').waitFor();
  expect(await beyond()).toBe(0);
  await page.goto(`${origin}/console/pets?q=${'z'.repeat(100)}`);
  await page.getByText('No matching pets').waitFor();
  expect(await beyond()).toBe(0);
});
