import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { everyTheme } from '../../server/test/support/effort.ts';
import { slowIt } from '../../server/test/support/slow-it.ts';
import { violations } from './support/axe.ts';
import { copy, dialog, goTo, joinAt, type Scheme, signUpByApi, visit } from './support/browser.ts';
import { clipboard } from './support/clipboard.ts';
import { openConsole } from './support/open-console.ts';

const run = promisify(execFile);
const running = openConsole();

type Walk = [Scheme, 'production' | 'staging', number];
const walk: Walk = ['light', 'production', 1280];
const other: Walk = ['dark', 'staging', 400];

describe.each(everyTheme ? [walk, other] : [walk])(
  'requests, in the %s theme on %s, %d pixels wide',
  (scheme, deployment, width) => {
    it('update live, can be filtered, and show why one was rejected', async () => {
      await using visitor = await visit(running.browser, { scheme, width });
      const { page } = visitor;
      const origin = running.program[deployment];
      const { key } = await joinAt(page, origin, '/requests');
      const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
      const call = (method: string, path: string, body?: string) =>
        fetch(origin + path, {
          method,
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            'idempotency-key': 'once',
            traceparent,
          },
          ...(body ? { body } : {}),
        });
      await page.getByText('No requests yet').waitFor();
      expect(await violations(page)).toEqual([]);

      await call('GET', '/v1/store/orders');
      await call('DELETE', '/v1/store/orders/3');
      const order = `{"petId":1,"quantity":5000,"shipDate":"it's late"}`;
      await call('POST', '/v2/store/orders', order);
      await call('GET', `/v2/pets?category=dog&note=it's%20${key}`);
      const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') });
      await rows.nth(3).waitFor();
      expect(await violations(page)).toEqual([]);
      expect(await page.content()).not.toContain(key);

      await page.getByLabel('Status').selectOption('4xx');
      await page.getByText('3 of 4 requests').waitFor();
      await page.getByLabel('Operation').selectOption('v2.placeOrder');
      await page.getByText('1 of 4 requests').waitFor();
      expect(new URL(page.url()).search).toBe('?status=4xx&operation=v2.placeOrder');
      await page.getByLabel('Key').selectOption({ label: `first key …${key.slice(-4)}` });
      await page.reload();
      await page.getByText('1 of 4 requests').waitFor();
      expect(await rows.count()).toBe(1);

      // By the keyboard: the link of the row.
      await rows.getByRole('link').focus();
      await page.keyboard.press('Enter');
      const reason = page.getByRole('alert');
      await reason.getByText(/^The request body is not valid: .*'quantity'/).waitFor();
      await reason.getByText(/a field that is missing, unknown or of the wrong type/).waitFor();
      await reason.getByText('400 invalid_body').waitFor();
      await page.getByRole('region', { name: 'Details' }).getByText(traceparent).waitFor();
      await page.getByText('"quantity": 5000, "shipDate": "it\'s late"').waitFor();
      await copy(page, 'request body');
      expect(await clipboard(page)).toBe(order);
      expect(await violations(page, { isNew: true })).toEqual([]);
      await page.getByText('Request headers').click();
      await page
        .getByRole('definition')
        .filter({ hasText: /^once$/ })
        .waitFor();
      await copy(page, 'curl snippet');
      const curl = await clipboard(page);
      expect(curl).not.toContain('pst_');
      expect(curl).toContain(`-H 'idempotency-key: once'`);
      const { stdout } = await run('sh', ['-c', `${curl} -s`], {
        env: { ...process.env, PETSTORE_KEY: key },
      });
      expect(JSON.parse(stdout)).toMatchObject({ code: 'invalid_body' });

      await page.getByRole('link', { name: 'All requests' }).click();
      await page.getByLabel('Search').fill('orders/3');
      await page.getByText('1 of 5 requests', { exact: true }).waitFor();
      await page.getByLabel('Search').fill('');
      await page.getByText('5 requests', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'DELETE /v1/store/orders/3' }).click();
      await page.getByText(/Only a pending order can be cancelled/).waitFor();
      expect(
        await page.getByRole('link', { name: 'What order_already_shipped means' }).getAttribute('href'),
      ).toBe('/guides/errors#order_already_shipped');
      await page.getByText('"code": "order_already_shipped"').waitFor();
      expect(visitor.complaints).toEqual([]);
    });
  },
);

it('on staging a request is replayed with its idempotency key or a new one', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  const origin = running.program.staging;
  // Browsers have it only in a secure context, which plain HTTP beyond loopback is not.
  await page.addInitScript(() => Reflect.deleteProperty(Crypto.prototype, 'randomUUID'));
  const { key } = await joinAt(page, origin, '/requests');
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': 'once',
  };
  const body = '{"petId":1,"quantity":1}';
  await fetch(`${origin}/v2/store/orders`, { method: 'POST', headers, body });
  await page.getByRole('link', { name: 'POST /v2/store/orders' }).click();
  await page
    .getByRole('region', { name: 'Replay' })
    .getByText(
      'Sends this request to staging again, as a new request with its own ID and the same Idempotency-Key.',
    )
    .waitFor();
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByRole('link', { name: 'View the new request' }).click();
  await page.getByText('idempotent-replayed', { exact: true }).waitFor({ state: 'attached' });
  await page.getByLabel('New Idempotency-Key').check();
  await page.getByText('its own ID and a new Idempotency-Key.').waitFor();
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByRole('link', { name: 'View the new request' }).click();
  await page.getByText('"id": 42').waitFor();
  expect(visitor.complaints).toEqual([]);
});

slowIt(
  'new requests are held back while a row is hovered; a history entry links to its request, also to an MCP call',
  async () => {
    await using visitor = await visit(running.browser);
    const { page } = visitor;
    const origin = running.program.production;
    const { key } = await joinAt(page, origin, '/requests');
    const call = (path: string, body?: object) =>
      fetch(origin + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    const params = { name: 'shipOrder', arguments: { orderId: '40' } };
    await call('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const first = page.getByRole('row', { name: /mcp\.shipOrder/ });
    await first.hover();
    const place = await first.boundingBox();
    await call('/v2/store/orders/38/ship');
    const held = page.getByRole('button', { name: '1 new request' });
    await held.waitFor();
    expect(await first.boundingBox()).toEqual(place);
    expect(await violations(page, { isNew: true })).toEqual([]);
    await held.click();
    await page.getByRole('row', { name: /v2\.shipOrder/ }).waitFor();
    const history = page.getByRole('region', { name: 'History' });
    await page.getByRole('link', { name: 'POST /v2/store/orders/38/ship' }).focus();
    for (const [id, path] of [
      [38, '/v2/store/orders/38/ship'],
      [40, '/mcp'],
    ]) {
      await page.keyboard.press('Control+k');
      await dialog(page).getByRole('option').first().waitFor();
      await page.keyboard.type(`${id}`);
      await page.keyboard.press('Enter');
      await history.getByText('Shipped', { exact: true }).waitFor();
      expect(await history.getByRole('link').allTextContents()).toEqual([`POST${path}`]);
    }
    await history.getByRole('link').click();
    await page.getByRole('heading', { name: 'POST /mcp' }).waitFor();
    expect(visitor.complaints).toEqual([]);
  },
);

slowIt('on a phone a request shows its full path, its operation and its error', async () => {
  await using visitor = await visit(running.browser, { width: 320 });
  const { page } = visitor;
  const origin = running.program.production;
  const { key } = await joinAt(page, origin, '/requests');
  const headers = { authorization: `Bearer ${key}` };
  await fetch(`${origin}/v2/store/orders/9223372036854775807`, { method: 'DELETE', headers });
  const row = page.getByRole('row', { name: /v2\.cancelOrder · not_found/ });
  const link = row.getByRole('link', { name: 'DELETE /v2/store/orders/9223372036854775807' });
  const isComplete = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element) =>
    scrollWidth <= clientWidth && scrollHeight <= clientHeight;
  expect(await link.evaluate(isComplete)).toBe(true);
  expect(await row.getByRole('time').filter({ visible: true }).count()).toBe(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  expect(await violations(page)).toEqual([]);
});

slowIt('the console’s own requests fill no list, and it polls only while visible', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  const origin = running.program.production;
  const { key } = await joinAt(page, origin, '');
  for (const name of ['Orders', 'Pets', 'Webhooks', 'Requests'] as const) await goTo(page, name);
  await page.getByText('No requests yet').waitFor();
  let polls = 0;
  page.on('request', (request) => {
    if (request.url().includes('/v2/store/requests')) polls += 1;
  });
  await page.waitForRequest(/\/v2\/store\/requests/);
  await goTo(page, 'Keys');
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  const before = polls;
  // Requests are not polled from other pages.
  const response = await fetch(`${origin}/v2/store/orders/40/ship`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  });
  expect(response.status).toBe(200);
  await page.waitForResponse(/\/console\/api\/keys/);
  expect(polls).toBe(before);
  await goTo(page, 'Requests');
  await page.getByText('1 request', { exact: true }).waitFor();
});

it('a page that is left open keeps its relative times current', async () => {
  await using visitor = await visit(running.browser);
  const { page, context } = visitor;
  await page.clock.install();
  const origin = running.program.production;
  const { key } = await signUpByApi(context, origin);
  await fetch(`${origin}/v1/pets`, { headers: { authorization: `Bearer ${key}` } });
  await page.goto(`${origin}/console/keys`);
  const used = page.getByRole('list', { name: 'Active keys' }).getByRole('definition').nth(1);
  await used.getByText('just now').waitFor();
  await page.clock.fastForward(180_000);
  await used.getByText('minutes ago').waitFor();
});

it('an idle page sends no requests, and the stream notifies it of changes', async () => {
  await using visitor = await visit(running.browser);
  const { page, context } = visitor;
  await page.clock.install();
  const origin = running.program.production;
  const { key } = await signUpByApi(context, origin);
  const underWay = new Set<unknown>();
  const isStream = (request: { url(): string }) => request.url().endsWith('/v2/store/events/stream');
  page.on('request', (request) => isStream(request) || underWay.add(request));
  page.on('requestfinished', (request) => underWay.delete(request));
  page.on('requestfailed', (request) => underWay.delete(request));
  const open = page.waitForResponse(isStream);
  await page.goto(`${origin}/console/orders/40`);
  await open;
  await page.getByText('Order placed').waitFor();
  // What is on show may be read once more when the stream opens: that is awaited first.
  const pause = () =>
    page.clock.pauseAt(Date.now() + 4_000).then(
      () => true,
      () => false,
    );
  await expect.poll(pause).toBe(true);
  await expect.poll(() => underWay.size).toBe(0);
  const requests: string[] = [];
  const count = (request: { url(): string }) => requests.push(new URL(request.url()).pathname);

  // Seconds pass at once: no timer of the page sends a request.
  page.on('request', count);
  await page.clock.runFor(15_000);
  expect(requests).toEqual([]);

  // Its clock stands still, so that only the stream can have notified it.
  const reported = page.waitForResponse(/\/v2\/store\/orders\/40$/);
  await fetch(`${origin}/v2/store/orders/40/ship`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  });
  await reported;
  await page.clock.resume();
  await page.getByRole('listitem').getByText('Shipped', { exact: true }).waitFor();
  expect(requests).not.toContain('/v2/store/events/stream');
});
