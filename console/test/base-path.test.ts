import { expect, it } from 'vitest';
import { freePort } from '../../server/test/support/free-port.ts';
import { goTo, openBrowser, password, visit } from './support/browser.ts';
import { startProgram } from './support/program.ts';

it('below a base path, a visitor signs up, visits the console and reads the reference', async () => {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}/shop`;
  await using _program = await startProgram(port, ['--base-url', address]);
  await using visitor = await visit(await openBrowser());
  const { page, complaints } = visitor;
  page.on('response', (response) => {
    if (response.status() === 404) complaints.push(`404 ${response.url()}`);
  });
  await page.goto(address);
  await page.getByText('Healthy').waitFor();
  await page.getByRole('link', { name: 'Sign up' }).click();
  await page.getByLabel('Email').fill('below@example.com');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('heading', { name: 'Your store is ready' }).waitFor();
  expect(await page.getByText(`${address}/v1`).count()).toBeGreaterThan(0);
  await page.getByRole('link', { name: /I've saved it/ }).click();
  await goTo(page, 'Orders');
  await page.getByRole('row').nth(1).waitFor();
  expect(new URL(page.url()).pathname).toBe('/shop/console/orders');
  await page.goto(`${address}/docs/v1`);
  await page.getByText(`${address}/v1/store/orders`).first().waitFor();
  const hrefs = await page
    .getByRole('link')
    .evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''));
  expect(hrefs.filter((href) => /^\/(?!shop)/.test(href))).toEqual([]);
  expect(complaints).toEqual([]);
});
