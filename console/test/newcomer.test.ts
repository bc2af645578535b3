import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { slowIt } from '../../server/test/support/slow-it.ts';
import { violations } from './support/axe.ts';
import { copy, dialog, goTo, joinAt, password, signUp, signUpByApi, visit } from './support/browser.ts';
import { clipboard } from './support/clipboard.ts';
import { openConsole } from './support/open-console.ts';

const run = promisify(execFile);
const running = openConsole();
/** Everything of a first visit, as it comes over the line. */
const MAX_BYTES = 100_000;
const runners: ReadonlyArray<[language: string, program: string, ...flags: string[]]> = [
  ['curl', 'sh', '-c'],
  ['JavaScript', process.execPath, '--input-type=module', '-e'],
  ['Python', 'python3', '-c'],
];

it('a new key stays visible until it is saved, and the page explains why', async () => {
  await using visitor = await visit(running.browser);
  const { page, context } = visitor;
  const { key } = await signUp(page, running.program.production);
  const why = page.getByText('Copy the key before you leave.');
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

  // The first calls work as they were copied, in a shell that knows the lines above them.
  const copied = async (name: string) => {
    await copy(page, name);
    return clipboard(page);
  };
  const exports = await copied('environment variables');
  for (const [language, program, ...flags] of runners) {
    await page.getByRole('tab', { name: language }).click();
    const script = '. /dev/stdin <<< "$1"; shift; exec "$@"';
    const { stdout } = await run('bash', [
      '-c',
      script,
      'bash',
      exports,
      program,
      ...flags,
      await copied(`${language} snippet`),
    ]);
    expect(stdout).toMatch(/Rex.*409/s);
  }
  await page.getByText('First request received').waitFor();
  const next = page.getByRole('status').getByRole('link', { name: 'test a client' });
  expect(await next.getAttribute('href')).toBe('/guides/testing');

  // What was copied is not lost by leaving.
  await goTo(page, 'Keys');
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  await page.getByText("export PETSTORE_KEY='<API_KEY>'").waitFor();
  await page.getByRole('button', { name: 'Create key' }).click();
  await dialog(page).getByLabel('Name').fill('nightly export');
  await dialog(page).getByRole('button', { name: 'Create key' }).click();
  await dialog(page).getByRole('heading', { name: 'Your new key' }).waitFor();
  const created = await dialog(page).locator('code').first().textContent();
  expect(await dialog(page).getByRole('button', { name: 'Close' }).count()).toBe(0);
  await page.mouse.click(4, 400);
  await why.waitFor();
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Escape');
  await page.goBack();
  await page.waitForURL('**/console/welcome');
  expect(await dialog(page).locator('code').first().textContent()).toBe(created);
  expect(await violations(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Copy key', exact: true }).click();
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  expect(visitor.complaints).toEqual([]);
});

slowIt('on a phone a new key is fully readable, and the docs are one tap away', async () => {
  await using visitor = await visit(running.browser, { width: 390 });
  const { page, context } = visitor;
  await signUp(page, running.program.production);
  const shown = await page
    .locator('code')
    .first()
    .evaluate((code) => ({
      size: Number.parseFloat(getComputedStyle(code).fontSize),
      isWhole: code.scrollWidth <= code.clientWidth,
    }));
  expect(shown).toEqual({ size: 14, isWhole: true });
  for (const [name, path] of [
    ['API reference', '/docs'],
    ['Guides', '/guides'],
  ] as const) {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    const link = page.getByRole('navigation', { name: 'Resources' }).getByRole('link', { name });
    expect(await violations(page)).toEqual([]);
    const [opened] = await Promise.all([context.waitForEvent('page'), link.click()]);
    await opened.waitForURL(`**${path}`);
    await opened.close();
    await page.keyboard.press('Escape');
  }
});

it('in a narrow window, the copy button covers no language tab', async () => {
  await using visitor = await visit(running.browser, { width: 320 });
  const { page } = visitor;
  await page.goto(`${running.program.production}/docs#listOrders`);
  const call = page.locator('article#listOrders');
  const button = await call.getByRole('button', { name: 'Copy curl snippet' }).boundingBox();
  for (const tab of await call.getByRole('tab').all()) {
    const box = await tab.boundingBox();
    expect(box && button && box.x + box.width <= button.x, String(await tab.textContent())).toBe(true);
  }
});

it('features that only version 2 has are marked beta', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  const origin = running.program.production;
  await page.goto(origin);
  await page
    .getByRole('main')
    .locator('p')
    .filter({ hasText: 'Idempotency-Key' })
    .getByText('beta')
    .waitFor();
  await joinAt(page, origin, '/orders/3');
  await page.getByRole('region', { name: 'API response' }).getByText('beta').waitFor();
});

it('a first visit gets the introduction, a returning browser does not', async () => {
  await using visitor = await visit(running.browser);
  const { page, context } = visitor;
  await page.goto(`${running.program.production}/console/orders?status=shipped`);
  await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('email');

  await page.getByLabel('Email').fill('newcomer@example.com');
  await page.getByLabel('Password').fill('password123456');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByText('This password consists of common words').waitFor();
  expect(await violations(page, { isNew: true })).toEqual([]);

  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('heading', { name: 'Your store is ready' }).waitFor();
  await context.clearCookies();
  await page.goto(`${running.program.production}/console`);
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('email');
  await page.getByText('Forgot your password?').click();
  await page.getByText('petstore accounts reset-password').waitFor();
  expect(await violations(page)).toEqual([]);
});

slowIt('staging says that its accounts are separate, and a deleted account gets a confirmation', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  const { email } = await signUp(page, running.program.production);
  await page.getByRole('link', { name: /I've saved it/ }).click();
  await page.goto(`${running.program.staging}/console/sign-in`);
  await page.getByText('separate from production').waitFor();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText("Production accounts don't work on staging.").waitFor();
  expect(await violations(page)).toEqual([]);

  await page.goto(`${running.program.production}/console/account`);
  const change = page.getByRole('region', { name: 'Password' });
  await change.getByLabel('Current password').fill(password);
  await change.getByLabel('New password').fill(password);
  await change.getByRole('button', { name: 'Change password' }).click();
  await change.getByText('This is already your password.').waitFor();

  await page.getByRole('button', { name: 'Delete account' }).click();
  await dialog(page).getByLabel('Confirm your password').fill(password);
  await dialog(page).getByRole('button', { name: 'Delete account' }).click();
  await page.getByText('Your account was deleted').waitFor();
  await page.getByText(email).waitFor();
  await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  expect(await violations(page)).toEqual([]);
});

it('pets are searched and sorted through the URL, and the overview shows all of them', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  const { key } = await joinAt(page, running.program.production, '');
  for (let number = 0; number < 70; number += 1) {
    const response = await fetch(`${running.program.production}/v2/pets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Newt ${number}`, category: 'newt', stock: 1000 + number }),
    });
    expect(response.status).toBe(201);
  }
  await goTo(page, 'Pets');
  await page.getByText('82 pets').waitFor();
  expect(await page.getByRole('list', { name: 'Pets' }).getByRole('listitem').count()).toBe(60);
  await page.getByRole('button', { name: 'Show more (22 left)' }).click();
  expect(await page.getByRole('list', { name: 'Pets' }).getByRole('listitem').count()).toBe(82);
  await page.getByLabel('Search pets').fill('DOG');
  await page.getByLabel('Sort by').selectOption('Stock: high to low');
  await page.waitForURL('**/console/pets?q=DOG&sort=-stock');
  await page.getByText('2 of 82 pets').waitFor();
  expect(await page.getByRole('list', { name: 'Pets' }).getByRole('heading').allTextContents()).toEqual([
    'Rex',
    'Bella',
  ]);
  expect(await violations(page)).toEqual([]);
  await page.getByLabel('Search pets').fill('unicorn');
  await page.getByText('No matching pets').waitFor();
  await goTo(page, 'Overview');
  const stock = page.getByRole('list', { name: 'Stock by pet' }).getByRole('listitem');
  await stock.filter({ hasText: 'Newt 69' }).waitFor();
  expect(await stock.count()).toBe(82);
  expect(await violations(page)).toEqual([]);
});

it('each kind of page shows its text without a second response', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  const rejected: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) rejected.push(message.text());
  });
  await page.route('**/assets/**', (route) => route.abort());
  for (const path of ['/', '/console', '/docs', '/guides']) {
    await page.goto(`${running.program.production}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    // Styles are there: without any, the browser leaves a margin around every page.
    expect(await page.evaluate('getComputedStyle(document.body).margin'), path).toBe('0px');
    expect(rejected, path).toEqual([]);
  }
});

slowIt('a new user whose first key was lost in transit gets a notice and another key', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  let isLost = false;
  await page.route('**/console/api/session', async (route) => {
    const response = await route.fetch();
    if (isLost || response.status() !== 200) return route.fulfill({ response });
    isLost = true;
    return route.abort();
  });
  await page.goto(`${running.program.production}/console/sign-up`);
  await page.getByLabel('Email').fill('unlucky@example.com');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByText("Your first key hasn't been used yet").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create another key' }).click();
  await page.getByRole('heading', { name: 'Your store is ready' }).waitFor();
  expect(await page.locator('code').first().textContent()).toMatch(/^pst_live_/);
});

it('the landing page and the reference leave the first key to the page that shows it', async () => {
  await using visitor = await visit(running.browser);
  const { page, context } = visitor;
  const origin = running.program.production;
  const data = { email: 'curious@example.com', password };
  for (const way of ['sign-up', 'sign-in'])
    await context.request.post(`${origin}/console/api/${way}`, { data, headers: { origin } });
  await page.goto(origin);
  await page.getByRole('link', { name: 'Open console' }).waitFor();
  await page.goto(`${origin}/docs`);
  await page.getByText(`temporary session key for ${data.email}`).first().waitFor();
  await page.goto(`${origin}/console`);
  await page.getByRole('heading', { name: 'Your store is ready' }).waitFor();
});

it('a first visit of the landing page, its fonts included, is at most 100 kB', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  const lengths: Array<Promise<number>> = [];
  page.on('response', (response) => {
    lengths.push(
      response
        .request()
        .sizes()
        .then(({ responseBodySize }) => responseBodySize),
    );
  });
  await page.goto(running.program.production);
  await page.getByText('Healthy').nth(1).waitFor();
  await page.getByRole('img', { name: 'The console' }).scrollIntoViewIfNeeded();
  await page.waitForFunction(() =>
    [...document.images].every(({ complete, loading }) => complete || loading === 'lazy'),
  );
  const sum = (await Promise.all(lengths)).reduce((all, one) => all + one, 0);
  expect(sum).toBeGreaterThan(60_000);
  expect(sum).toBeLessThan(MAX_BYTES);
});

it.each(['/', '/console', '/guides'])(
  "on a slow line, %s changes to the product's fonts once they arrive",
  async (path) => {
    await using visitor = await visit(running.browser);
    const { page, context } = visitor;
    const arrival = Promise.withResolvers<void>();
    await page.route('**/*.woff2', async (route) => {
      await arrival.promise;
      await route.continue();
    });
    await page.goto(running.program.production + path, { waitUntil: 'commit' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    const devtools = await context.newCDPSession(page);
    for (const domain of ['DOM', 'CSS'] as const) await devtools.send(`${domain}.enable`);
    const fonts = async () => {
      const { root } = await devtools.send('DOM.getDocument');
      const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' });
      const used = await devtools.send('CSS.getPlatformFontsForNode', { nodeId });
      return used.fonts.map(({ familyName }) => familyName).join();
    };
    // The text is there before its font.
    await expect.poll(fonts).toMatch(/^(?!Bricolage)./);
    arrival.resolve();
    await expect.poll(fonts).toMatch(/^Bricolage Grotesque/);
  },
);

it('the landing page shows the address its visitor used, even if all other requests fail', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  const origin = running.program.production;
  expect(await (await fetch(origin)).text()).not.toContain('127.0.0.1');
  await page.route('**/openapi.json', (route) => route.abort());
  await page.goto(origin);
  await page.getByText("Couldn't load the base URLs.").waitFor();
  expect(await page.locator('#curl').textContent()).toContain(`PETSTORE_URL=${origin}/v1\n`);
});

slowIt('a new user whose console failed to load in part is welcomed after a reload', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  await page.route('**/signed-in-pages-*.js', (route) => route.abort());
  await page.goto(`${running.program.production}/console/sign-up`);
  await page.getByLabel('Email').fill('half@example.com');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign up' }).click();
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await page.unroute('**/signed-in-pages-*.js');
  await again.click();
  await page.getByRole('heading', { name: 'Your store is ready' }).waitFor();
});

it('the page for unknown addresses says that it is staging, once the browser knows', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  const { staging } = running.program;
  const band = page.locator('.band');
  await page.goto(`${staging}/nowhere`);
  expect(await band.innerText()).toBe('Pet Store');
  await page.goto(`${staging}/console/sign-in`);
  await page.getByText('This is staging.').waitFor();
  await page.goto(`${staging}/nowhere`);
  expect(await band.innerText()).toBe('Pet Store\nStaging');
});

slowIt('a new key survives a reload until it is copied', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  const { key } = await signUp(page, running.program.production);
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await page.getByText(key).first().waitFor();
  await copy(page, 'key');
  await page.reload();
  await page.getByRole('heading', { name: 'Welcome', exact: true }).waitFor();
});

it('a visitor who runs an example sees the recorded response that the service gives, and a run of check-client', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  await page.goto(running.program.production);
  const headers = { authorization: `Bearer ${running.program.key}` };
  const call = (method: string, path: string) =>
    fetch(`${running.program.production}/v1/store/orders${path}`, { method, headers });
  const answer = async () => {
    const [status, ...lines] = ((await page.locator('#answer').textContent()) ?? '').split('\n');
    return { status, body: lines.join('\n') };
  };
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('Recorded response').waitFor();
  const [first, ...others] = await (await call('GET', '')).json();
  const { body } = await answer();
  const [shown, more] = body.split(/,\s*… (?=\d+ more)/);
  // Dates depend on the day of the recording.
  expect({ ...JSON.parse(`${shown}]`)[0], shipDate: '' }).toEqual({ ...first, shipDate: '' });
  expect(more).toMatch(new RegExp(`^${others.length} more\\s*]$`));
  await page.getByText('Cancel shipped').click();
  await page.getByText('shipping cannot be reversed').waitFor();
  const shipped = await call('DELETE', '/39');
  const rejected = await answer();
  expect(rejected.status).toBe(String(shipped.status));
  expect(JSON.parse(rejected.body)).toEqual(await shipped.json());
  await page.getByText('Cancel one').click();
  expect(await page.locator('#answer').textContent()).toBe(String((await call('DELETE', '/40')).status));
  expect(await page.locator('#terminal').textContent()).toMatch(/\d+ of \d+ checks passed/);
  expect(visitor.complaints).toEqual([]);
});

it('the landing page never sends a signed-in user to sign up, whatever their call returns', async () => {
  await using visitor = await visit(running.browser);
  const { page, context } = visitor;
  await signUpByApi(context, running.program.production);
  await page.goto(running.program.production);
  await page.getByRole('link', { name: 'Open console' }).waitFor();
  const body = JSON.stringify({ code: 'rate_limited', message: 'Too many.', status: 429 });
  await page.route('**/v1/store/orders', (route) =>
    route.fulfill({ status: 429, contentType: 'application/json', body }),
  );
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('The message says what went wrong').waitFor();
});
