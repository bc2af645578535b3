import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { visit } from './support/browser.ts';
import { openConsole } from './support/open-console.ts';

/**
 * First visits on a line of 40 kB/s with 150 ms, as Chromium emulates it. Times are those of an idle machine:
 * `npx vitest run console/test/weight.slow.test.ts` prints them.
 */
const running = openConsole();
const LINE = { offline: false, latency: 150, downloadThroughput: 40_000, uploadThroughput: 40_000 };

async function openSlowly(page: Page, address: string): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', LINE);
  await page.addInitScript(() => {
    const shifts = { sum: 0 };
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.sum += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const start = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  return async () => Math.round(performance.now() - start);
}

async function settled(page: Page) {
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready);
  return page.evaluate(() => ({
    shift: (globalThis as unknown as { shifts: { sum: number } }).shifts.sum,
    fonts: [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family),
  }));
}

it.each([1280, 390])(
  'the landing page responds within two seconds, without layout shifts, %i px wide',
  async (width) => {
    await using visitor = await visit(running.browser, { width });
    const { page } = visitor;
    const since = await openSlowly(page, running.program.production);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const text = await since();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('Recorded response').waitFor();
    const interactive = await since();
    const { shift, fonts } = await settled(page);
    console.log({ page: '/', width, text, interactive, shift });
    expect(interactive).toBeLessThan(2_000);
    expect(shift).toBeLessThan(0.02);
    expect(fonts).toEqual(expect.arrayContaining(['Figtree', 'Bricolage Grotesque']));
  },
);

it.each(['/docs/v1#listOrders', '/docs/v2/orders#listOrders'])(
  '%s shows its operation within three seconds',
  async (path) => {
    await using visitor = await visit(running.browser);
    const { page } = visitor;
    const since = await openSlowly(page, running.program.production + path);
    const operation = page.locator('article#listOrders');
    await operation.getByRole('tabpanel').waitFor();
    const text = await since();
    await operation.locator('button:enabled', { hasText: 'Send' }).waitFor();
    const interactive = await since();
    const { shift } = await settled(page);
    console.log({ page: path, text, interactive, shift });
    expect(text).toBeLessThan(3_000);
    expect(shift).toBeLessThan(0.05);
  },
);
