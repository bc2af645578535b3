import { expect, it } from 'vitest';
import { errorCodes } from '../../server/src/http/errors.ts';
import { everyTheme } from '../../server/test/support/effort.ts';
import { errorWords } from '../build/error-words.ts';
import { requestsIn } from '../src/docs/safe-requests.ts';
import { violations } from './support/axe.ts';
import { password, visit } from './support/browser.ts';
import { clipboard } from './support/clipboard.ts';
import { openConsole } from './support/open-console.ts';

const running = openConsole();
/** The guides with the widest tables and code; the slow tier opens all of them. */
const seenInBrowser = /\/(errors|testing|specification)$/;

it('every error code has a cause and a remedy', () => {
  expect(Object.keys(errorWords())).toEqual(expect.arrayContaining(Object.keys(errorCodes)));
});

it('the guides link to each other and to each error, with no broken links', async () => {
  await using visitor = await visit(running.browser, { width: 375 });
  const { page, complaints } = visitor;
  const { production } = running.program;
  await page.goto(production);
  await page.getByRole('main').getByRole('link', { name: 'Guides' }).click();
  await page.getByRole('heading', { name: 'Guides' }).waitFor();
  const hrefs = await page.getByRole('main').getByRole('link').evaluateAll(links);
  for (const name of ['testing', 'errors', 'limits', 'migration']) expect(hrefs).toContain(`/guides/${name}`);
  const led = new Set<string>();
  for (const href of hrefs) {
    const html = await (await fetch(production + href)).text();
    for (const [, link = ''] of html.matchAll(/ href="(\/[^"#]*)/g)) led.add(link);
    if (!everyTheme && !seenInBrowser.test(href)) continue;
    await page.goto(production + href);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), href).toBe(375);
    expect(await page.evaluate(brokenWords), href).toEqual([]);
    expect(await violations(page, { isNew: true }), href).toEqual([]);
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

it('on a phone, the start of a guide, its menu entry and two-column tables are visible', async () => {
  await using visitor = await visit(running.browser, { width: 320 });
  const { page } = visitor;
  const { production } = running.program;
  await page.goto(`${production}/guides/decisions`);
  const brand = await page.getByRole('link', { name: 'Pet Store Service, home' }).boundingBox();
  const reference = await page
    .getByRole('link', { name: 'API reference', exact: true })
    .first()
    .boundingBox();
  expect(brand && reference && brand.x + brand.width <= reference.x).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.getByRole('button', { name: 'Contents' }).click();
  const here = page.getByRole('navigation', { name: 'Contents' }).locator('[aria-current]');
  await here.getByText('Design decisions').waitFor();
  await page.keyboard.press('Escape');

  await page.goto(`${production}/guides/testing#check-client`);
  const table = page.locator('.guide-table').filter({ hasText: 'PETSTORE_WEBHOOK_SECRET' });
  expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  // What the address names stays where it is while the list of guides is scrolled.
  await expect
    .poll(() => page.evaluate(() => document.querySelector(':target')?.getBoundingClientRect().top))
    .toBeLessThan(140);
  await page.locator('summary').getByText('On this page').click();
  await page.locator('.guide-contents').getByRole('link', { name: 'Failures on demand' }).click();
  await page.locator('h2:target').getByText('Failures on demand').waitFor();
});

it('each name in the list of guides, and in the tables of a guide, fits on one line', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  await page.goto(`${running.program.production}/guides/testing`);
  for (const width of [1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 860 });
    const names = page.getByRole('navigation', { name: 'Contents' }).getByRole('link');
    const heights = await names.evaluateAll((all) => all.map(({ clientHeight }) => clientHeight));
    expect(new Set(heights).size, `${width}: ${heights}`).toBe(1);
    const wrapped = await page.locator('.guide-table td:first-child code').evaluateAll((all) => {
      const isWrapped = (code: Element) => code.getBoundingClientRect().height > 30;
      return all.filter(isWrapped).map(({ textContent }) => textContent);
    });
    expect(wrapped, String(width)).toEqual([]);
  }
});

it("the reference's example of an error is one that the service returns", async () => {
  const html = await (await fetch(`${running.program.production}/docs/v1`)).text();
  const [, section = ''] = /<section id="Error"(.*?)<\/section>/s.exec(html) ?? [];
  const [, example = ''] = /<code>(.*?)<\/code><\/pre>/s.exec(section) ?? [];
  const text = example.replaceAll(/<[^>]+>/g, '').replaceAll('&quot;', '"');
  const { code, status } = await (await fetch(`${running.program.production}/v1/store/orders`)).json();
  expect(JSON.parse(text)).toEqual({ code, status, message: expect.stringContaining('API key') });
});

it('the reference names each object with the right article', async () => {
  for (const [path, sentence] of [
    ['/docs/v1', 'The body is a Pet object.'],
    ['/docs/v2/orders', 'The body is an Order object.'],
  ]) {
    const html = await (await fetch(running.program.production + path)).text();
    expect(html.replaceAll(/<[^>]+>/g, '')).toContain(sentence);
  }
});

it("examples contain the reader's address and can be copied; sections are found by search", async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  const { production, staging } = running.program;
  for (const [place, origin] of [
    ['/docs/v1', staging],
    ['/docs/v2', staging],
    ['/docs/v2', production],
  ] as const) {
    await page.goto(origin + place);
    await page
      .getByRole('main')
      .getByText(`_URL=${origin}/${place.slice(-2)}`)
      .first()
      .waitFor();
  }
  await page.goto(`${production}/guides/tour`);
  const code = page.locator('.code-card').filter({ hasText: `export PETSTORE_URL=${staging}/v1` });
  await code.hover();
  await code.getByRole('button', { name: 'Copy' }).click();
  await code.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await clipboard(page)).toContain(`export PETSTORE_URL=${staging}/v1`);
  expect(await page.getByRole('main').textContent()).not.toMatch(/127\.0\.0\.1:808[01]/);
  // What only reads runs on staging, with a key of staging.
  const failing = page.locator('.code-card').filter({ hasText: 'code=503' });
  await failing.getByRole('button', { name: 'Run on staging' }).click();
  await failing.getByLabel('Staging key').fill(await stagingKey());
  await page.keyboard.press('Enter');
  await failing.getByText('GET /v1/pets: 503 from staging').waitFor();
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link').nth(1).click();
  await page.locator('h2:target').waitFor();
  for (const key of ['/', 'Control+k', 'Meta+k']) {
    await page.keyboard.press(key);
    expect(await page.evaluate(() => document.activeElement?.id), key).toBe('search');
    await page.getByRole('combobox', { name: 'Search the documentation' }).blur();
  }
  await page.keyboard.press('Control+k');
  await page.keyboard.type('order_already_shipped');
  await page.getByRole('option', { name: 'order_already_shipped' }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.locator('h3:target').getByText('order_already_shipped').waitFor();
  await page.getByRole('link', { name: 'Next Limits' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(visitor.complaints.filter((complaint) => !complaint.includes('503'))).toEqual([]);
});

it.each([
  ['production', 'No response. The service is unreachable.'],
  ['staging', 'No response. The service is unreachable, or a sandbox fault closed the connection.'],
] as const)('on %s, a lost response is explained by what can have happened', async (deployment, words) => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  await page.route('**/v1/store/orders', (route) => route.abort());
  await page.goto(`${running.program[deployment]}/docs/v1#listOrders`);
  await page.locator('article#listOrders').getByRole('button', { name: 'Send' }).click();
  await page.getByRole('status').getByText(words, { exact: true }).waitFor();
});

async function stagingKey(): Promise<string> {
  const { staging } = running.program;
  const headers = { 'content-type': 'application/json', origin: staging };
  const body = JSON.stringify({ email: 'reader@example.com', password });
  const post = (way: string) => fetch(`${staging}/console/api/${way}`, { method: 'POST', headers, body });
  await post('sign-up');
  const cookie = (await post('sign-in')).headers
    .getSetCookie()
    .map((part) => part.split(';')[0])
    .join('; ');
  const session = await fetch(`${staging}/console/api/session`, {
    method: 'POST',
    headers: { ...headers, cookie },
    body: '{}',
  });
  return (await session.json()).firstKey.key;
}

it('a block of code runs on staging only if all that it does is read', () => {
  const url = '"$PETSTORE_URL/pets"';
  expect(requestsIn(`call ${url} -H 'Prefer: code=503'   # fails`)).toEqual([
    { path: '/v1/pets', headers: [['Prefer', 'code=503']] },
  ]);
  for (const other of [
    `-X DELETE ${url}`,
    `${url} -d '{}'`,
    `${url} > file`,
    `${url} | sh`,
    `${url}; ls`,
    `$(ls) ${url}`,
  ])
    expect(requestsIn(`curl ${other}`), other).toBe(undefined);
  expect(requestsIn(`curl ${url}\nrm file`)).toBe(undefined);
});

/** Inline code with a line break between two letters or digits. */
function brokenWords(): string[] {
  const isBroken = (code: Element) => {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    let [before, bottom] = ['', Number.POSITIVE_INFINITY];
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const [at, letter] of [...(node.nodeValue ?? '')].entries()) {
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const box = range.getBoundingClientRect();
        if (box.top >= bottom && /\w\w/.test(before + letter) && before !== '_') return true;
        [before, bottom] = [letter, box.bottom];
      }
    return false;
  };
  // Code on one line has one box.
  const inline = Array.from(document.querySelectorAll('main :not(pre) > code')).filter(
    (code) => code.getClientRects().length > 1,
  );
  return inline.filter(isBroken).map((code) => code.textContent ?? '');
}

const links = (found: Element[]) => found.map((link) => link.getAttribute('href') ?? '');
