import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { launchBrowser, type Scheme, signUp, visit } from '../test/support/browser.ts';
import { startProgram } from '../test/support/program.ts';
import { buildConsole } from './build.ts';

/**
 * Takes the screenshots for the documentation from the running program: `npm run screenshots [port]`.
 * `port` is production's, as it appears in the screenshots.
 */
const folder = fileURLToPath(new URL('../../docs/images', import.meta.url));
const LARGEST = 180_000;

await buildConsole();
await using program = await startProgram(Number(process.argv[2] ?? 8080));
await using browser = await launchBrowser();
mkdirSync(folder, { recursive: true });

const pages: ReadonlyArray<[name: string, path: string, seen: string]> = [
  ['landing', '/', 'Healthy'],
  ['overview', '/console', 'orders are waiting to ship'],
  ['orders', '/console/orders?limit=10', 'Hazel'],
  ['order', '/console/orders/40', 'Delivered'],
  ['keys', '/console/keys', 'nightly export'],
  ['docs', '/docs#listOrders', 'List all orders'],
];

for (const scheme of ['light', 'dark'] satisfies Scheme[]) {
  await using visitor = await visit(browser, { scheme });
  const { page } = visitor;
  await page.setViewportSize({ width: 1280, height: 800 });
  const { key } = await signUp(page, program.production);
  await page.getByRole('link', { name: /I've saved it/ }).click();
  await createHistory(key);
  await makeKeys(page);
  for (const [name, path, seen] of pages) {
    await page.goto(program.production + path);
    await page.getByText(seen).locator('visible=true').first().waitFor();
    await page.evaluate(() => document.fonts.ready);
    const file = join(folder, `${name}-${scheme}.png`);
    await page.screenshot({ path: file });
    const { size } = statSync(file);
    console.log(`${name}-${scheme}.png  ${Math.round(size / 1000)} kB`);
    if (name === 'overview') await writeWebp(page, file, scheme);
    if (size > LARGEST) throw new Error(`${file} is larger than ${LARGEST} bytes`);
  }
}

/** The picture of the landing page, converted by the browser. */
async function writeWebp(page: Page, file: string, scheme: Scheme): Promise<void> {
  const url = await page.evaluate(
    async (png) => {
      const image = new Image();
      image.src = `data:image/png;base64,${png}`;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), {
        width: image.width,
        height: image.height,
      });
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', 0.45);
    },
    readFileSync(file, 'base64'),
  );
  const picture = new URL(`../src/landing/console-${scheme}.webp`, import.meta.url);
  writeFileSync(picture, Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
}

/** Creates some order history through the API. */
async function createHistory(key: string): Promise<void> {
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${program.production}/v2/store/orders${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  };
  for (const id of [38, 40]) await call('POST', `/${id}/ship`);
  for (const id of [3, 11, 39, 40]) await call('POST', `/${id}/deliver`);
  for (const id of [6, 14, 34]) await call('DELETE', `/${id}`);
  const placed = [
    [1, 2, 1],
    [9, 3, 2],
    [5, 12, 2],
    [8, 1, 5],
    [2, 1, 8],
    [10, 4, 9],
    [4, 2, 11],
  ] as const;
  for (const [petId, quantity, days] of placed) {
    const day = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    await call('POST', '', { petId, quantity, shipDate: `${day}T09:00:00Z` });
  }
}

async function makeKeys(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Keys' }).click();
  for (const [name, expires] of [
    ['nightly export', '90 days'],
    ['warehouse scanner', 'No expiration'],
  ]) {
    await page.getByRole('button', { name: 'Create key' }).click();
    await page
      .getByRole('dialog')
      .getByLabel('Name')
      .fill(name ?? '');
    await page
      .getByRole('dialog')
      .getByLabel('Expiration')
      .selectOption(expires ?? '');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: "I've saved it" }).click();
  }
}
