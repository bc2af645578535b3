import { expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { dialog, goTo, signUp, visit } from './support/browser.ts';
import { openConsole } from './support/open-console.ts';

const running = openConsole();

it('a new key stays until it is saved, whatever is pressed, and the page says why', async () => {
  await using visitor = await visit(running.browser);
  const { page, context } = visitor;
  const { key } = await signUp(page, running.program.production);
  const why = page.getByText('Save the key first');
  for (const name of ['Orders', 'Keys', 'Account'] as const) {
    await goTo(page, name);
    await why.waitFor();
  }
  await page.getByRole('link', { name: 'About Pet Store' }).click();
  expect(new URL(page.url()).pathname).toBe('/console/welcome');
  expect(await page.locator('code').first().textContent()).toBe(key);
  expect(await violations(page)).toEqual([]);
  for (const link of await page.getByRole('link', { name: /API reference/ }).all()) {
    const [opened] = await Promise.all([context.waitForEvent('page'), link.click()]);
    await opened.waitForURL(/\/docs\b/);
    await opened.close();
  }
  await page.getByRole('link', { name: /I have saved it/ }).click();

  await goTo(page, 'Keys');
  await page.getByRole('button', { name: 'Create a key' }).click();
  await dialog(page).getByLabel('Name').fill('nightly export');
  await dialog(page).getByRole('button', { name: 'Create key' }).click();
  await dialog(page).getByRole('heading', { name: 'Your new key' }).waitFor();
  const made = await dialog(page).locator('code').first().textContent();
  expect(await dialog(page).getByRole('button', { name: 'Close' }).count()).toBe(0);
  await page.mouse.click(4, 400);
  await why.waitFor();
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Escape');
  await page.goBack();
  await page.waitForURL('**/console');
  expect(await dialog(page).locator('code').first().textContent()).toBe(made);
  expect(await violations(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'I have saved it' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  expect(visitor.complaints).toEqual([]);
});
