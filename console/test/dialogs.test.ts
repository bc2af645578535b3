import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { slowIt } from '../../server/test/support/slow-it.ts';
import { dialog, goTo, joinAt, visit } from './support/browser.ts';
import { openConsole } from './support/open-console.ts';

const running = openConsole();
const row = (page: Page, id: number) => page.getByRole('row', { name: new RegExp(`Order ${id} `) });

it('a dialog with a pending request stays open, however often Escape is pressed', async () => {
  await using visitor = await visit(running.browser);
  const { page, complaints } = visitor;
  await joinAt(page, running.program.production, '/orders');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/v2/store/orders/*/ship', async (route) => {
    await released;
    await route.continue();
  });
  for (const id of [40, 38]) await page.getByLabel(`Select order ${id}`).check();
  await page.getByRole('button', { name: 'Ship 2' }).click();
  await dialog(page).getByRole('button', { name: 'Ship 2 orders' }).click();
  const stop = dialog(page).getByRole('button', { name: 'Stop' });
  await stop.waitFor();
  for (let presses = 0; presses < 3; presses += 1) {
    await page.keyboard.press('Escape');
    await expect.poll(() => stop.isVisible()).toBe(true);
  }
  await dialog(page).getByText('Still in progress.').waitFor();
  release();
  await dialog(page).getByText('2 of 2 shipped').waitFor();
  // Only when nothing is on its way any more may it be closed.
  await stop.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

slowIt('a click outside a dialog only closes it; a press that began inside does not', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  await joinAt(page, running.program.production, '/orders');
  await page.getByRole('button', { name: 'Ship order 40' }).click();
  const { mouse } = page;
  const others = await row(page, 38).getByRole('link').boundingBox();
  const inside = await dialog(page).getByRole('heading').boundingBox();
  if (!others || !inside) throw new Error('Neither is drawn.');
  await mouse.move(inside.x + 5, inside.y + 5);
  await mouse.down();
  await mouse.move(others.x + 5, others.y + 5);
  await mouse.up();
  expect(await dialog(page).isVisible()).toBe(true);
  await mouse.down();
  expect(await dialog(page).isVisible()).toBe(true);
  await mouse.up();
  await dialog(page).waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toBe('/console/orders');
});

slowIt('an order’s dialog stays open when its row disappears, and shows the outcome', async () => {
  await using visitor = await visit(running.browser);
  const { page, complaints } = visitor;
  const { key } = await joinAt(page, running.program.production, '/orders?status=pending');
  const rows = page.getByRole('rowheader');
  await rows.first().waitFor();
  const ids = await rows.allTextContents();
  await page.getByRole('button', { name: `Ship order ${ids[0]}` }).click();
  // Another client is faster, and leaves no row on the page.
  for (const id of ids)
    await fetch(`${running.program.production}/v2/store/orders/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${key}` },
    });
  await page.getByText('No orders match these filters').waitFor();
  expect(await dialog(page).isVisible()).toBe(true);
  await dialog(page).getByRole('button', { name: 'Ship order', exact: true }).click();
  await dialog(page).getByText(`Order ${ids[0]} is now Cancelled`).waitFor();
  await dialog(page).getByRole('button', { name: 'OK' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

slowIt('a late response closes no other dialog', async () => {
  await using visitor = await visit(running.browser);
  const { page, complaints } = visitor;
  await joinAt(page, running.program.production, '/pets');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const hold = async (pattern: string) =>
    page.route(pattern, async (route) => {
      if (route.request().method() !== 'GET') await released;
      await route.continue();
    });
  await hold('**/v2/pets/*');
  await page.getByRole('button', { name: 'Edit Rex' }).click();
  await dialog(page).getByLabel('Stock').fill('77');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Edit Shelly' }).click();
  await dialog(page).getByLabel('Name').fill('Sheldon');
  release();
  await page.getByText('Rex updated').waitFor();
  expect(await dialog(page).getByLabel('Name').inputValue()).toBe('Sheldon');
  await page.keyboard.press('Escape');

  await goTo(page, 'Orders');
  const { promise: shipped, resolve: ship } = Promise.withResolvers<void>();
  await page.route('**/v2/store/orders/40/ship', async (route) => {
    await shipped;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Ship order 40' }).click();
  await dialog(page).getByRole('button', { name: 'Ship order', exact: true }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Cancel order 38' }).click();
  ship();
  await page.getByText('Order 40 shipped').waitFor();
  expect(await dialog(page).getByRole('heading').textContent()).toBe('Cancel order 38?');
  expect(complaints).toEqual([]);
});
