import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callOf, initialValues } from '../../../console/src/docs/call.ts';
import { type ApiDocument, groupsOf } from '../../../console/src/docs/document.ts';
import { findSampleIds } from '../../../console/src/docs/sample-ids.ts';
import { samplesOf } from '../../../console/src/docs/samples.ts';
import { violations } from '../../../console/test/support/axe.ts';
import { openBrowser, visit } from '../../../console/test/support/browser.ts';
import { temporaryFolder } from '../support/engines.ts';
import { type RunningProgram, requesterFor, startProgram, withQuickPasswords } from '../support/program.ts';
import { slowIt } from '../support/slow-it.ts';

const run = promisify(execFile);

const folder = temporaryFolder();
let program: RunningProgram;
let browser: Browser;
beforeAll(async () => {
  program = await startProgram(['--port', '0', '--data', folder.path], withQuickPasswords);
  browser = await openBrowser();
});
afterAll(async () => {
  await program?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** The demonstration store of staging. */
function staging() {
  const [, origin = '', port, key = ''] =
    /(http:\S+:(\d+))\/v1 +key (\S+)/.exec(program.lines[1] ?? '') ?? [];
  return { origin, key, request: requesterFor(Number(port)) };
}

it('the reference opens version 1, calls the running service, and loads nothing from other hosts', async () => {
  await using visitor = await visit(browser);
  const { page, complaints } = visitor;
  const { origin, key } = staging();
  const operation = (id: string) => page.locator(`article#${id}`);
  const responded = (id: string, text: string) => operation(id).getByRole('status').getByText(text).waitFor();
  await page.goto(`${origin}/docs`);
  await page.getByRole('heading', { name: 'List all orders' }).waitFor();
  expect(await page.getByRole('link', { name: 'Version 1 stable' }).getAttribute('aria-current')).toBe(
    'page',
  );
  expect(await operation('getPet').getByRole('heading').first().textContent()).toBe(
    'Get a petdeprecated, removed on 2030-12-05',
  );
  await expect
    .poll(() => page.getByRole('definition').allTextContents())
    .toEqual([`${origin}/v1`, program.lines[0]?.match(/http:\S+/)?.[0]]);
  // Operation-specific errors are not hidden among general ones.
  const cancel = operation('cancelOrder');
  expect(
    await cancel
      .locator('code')
      .filter({ hasText: /^\d{3}$/, visible: true })
      .allTextContents(),
  ).toEqual(['204', '401', '403', '404', '409', '429', '500', '503']);
  await cancel.getByText('400, 405, 408, 414, 431').waitFor();
  await cancel.getByText('cancelOrder', { exact: true }).waitFor();
  expect(await violations(page, { isNew: true })).toEqual([]);

  // Without a key the response explains what to do, with links there and back.
  const list = operation('listOrders');
  await list.getByRole('button', { name: 'Send' }).click();
  await responded('listOrders', '401');
  expect(await list.getByRole('link', { name: 'What missing_api_key means' }).getAttribute('href')).toBe(
    '/guides/errors#missing_api_key',
  );
  expect(await list.getByRole('link', { name: 'sign in' }).last().getAttribute('href')).toBe(
    '/console/sign-in?back=%2Fdocs%23listOrders',
  );

  // Typed in, the key stays for the tab. Ids are shown to the last digit.
  await fetch(`${origin}/v2/sandbox/reset`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"dataSet":"int64"}',
  });
  await list.getByLabel('API key').fill(key);
  await list.getByRole('button', { name: 'Use key' }).click();
  await list.getByText(`Authorization: Bearer pst_test_…${key.slice(-4)}`).waitFor();
  await list.getByRole('button', { name: 'Send' }).click();
  await responded('listOrders', '200');
  await list.getByText('"id": 9007199254740993,').waitFor();
  await list.getByText('"id": 9223372036854775807,').waitFor();

  // The code shows the edited request, which is also sent.
  await page.getByRole('link', { name: 'Version 2 beta' }).click();
  // A link to an operation of version 2 leads to the page of its group.
  await page.goto(`${origin}/docs/v2#listOrders`);
  await page.waitForURL(`${origin}/docs/v2/orders#listOrders`);
  await operation('listOrders').getByText('beta', { exact: true }).waitFor();
  await operation('listOrders').getByText('Optional parameters').click();
  await operation('listOrders').getByLabel('status').fill('pending,shipped');
  const shown = operation('listOrders').getByRole('tabpanel');
  await shown.getByText(`curl '${origin}/v2/store/orders?status=pending%2Cshipped'`).waitFor();
  await operation('listOrders').getByRole('tab', { name: 'Python' }).click();
  await operation('placeOrder').getByRole('tab', { name: 'Python', selected: true }).waitFor();
  const request = page.waitForRequest((request) => request.url().endsWith('?status=pending%2Cshipped'));
  await operation('listOrders').getByRole('button', { name: 'Send' }).click();
  expect(await (await request).headerValue('authorization')).toBe(`Bearer ${key}`);
  await responded('listOrders', '200');
  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await operation('listEvents').getByText('experimental', { exact: true }).waitFor();
  // Untouched, events are a page of JSON.
  await operation('listEvents').getByRole('button', { name: 'Send' }).click();
  await operation('listEvents').getByText('"nextCursor"').last().waitFor();
  // A stream shows its lines, and is requested with its media type.
  await operation('streamEvents').getByText('event: order.shipped').waitFor();
  await page
    .getByRole('navigation', { name: 'Contents' })
    .getByRole('link', { name: 'Stream events' })
    .click();
  await page.locator('[aria-current=location]').getByText('Stream events').waitFor();
  expect(await operation('streamEvents').getByRole('tabpanel').textContent()).not.toContain('Accept');
  await page.getByRole('combobox', { name: 'Search' }).fill('message placed');
  await page.getByRole('option', { name: 'receiveOrderPlaced' }).click();
  await operation('receiveOrderPlaced').getByText('webhook-id: msg_').waitFor();
  await page.goto(`${origin}/docs/v2/orders`);
  // No button is cut off by the box that it is in.
  for (const button of await operation('listOrders').getByRole('button', { name: /^Copy/ }).all()) {
    const [inner, outer] = [await button.boundingBox(), await button.locator('../..').boundingBox()];
    expect((inner?.x ?? 0) + (inner?.width ?? 0)).toBeLessThan((outer?.x ?? 0) + (outer?.width ?? 0));
  }
  expect(await violations(page)).toEqual([]);
  // Policy violations and third-party content are reported.
  expect(complaints).toEqual([]);

  const { headers } = await program.request('GET /docs/');
  const policy = String(headers['content-security-policy']);
  expect(policy).toMatch(/script-src 'self'( 'sha256-[\w+/=]+')*;/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(headers['x-frame-options']).toBe('DENY');
});

slowIt('on a phone, signed in, an order is placed with the session’s key, for an existing pet', async () => {
  await using visitor = await visit(browser, { scheme: 'dark', width: 375 });
  const { page, complaints } = visitor;
  const { origin, key } = staging();
  await page.goto(`${origin}/console/open#${key}`);
  await page.waitForURL(`${origin}/console`);
  await page.goto(`${origin}/docs/v2/orders#placeOrder`);
  const place = page.locator('article#placeOrder');
  await place.getByText('temporary session key').waitFor();
  expect(await place.getByText('Authorization: Bearer').first().textContent()).not.toContain(key.slice(-4));
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
  expect((await page.locator('.docs-top').boundingBox())?.height).toBeLessThan(120);
  await place.getByLabel('Body').fill('{"petId":1,"quantity":3}');
  await place.getByText('"quantity": 3').waitFor();
  await place.getByRole('button', { name: 'Send' }).click();
  await place.getByRole('status').getByText('201').waitFor();
  // A session has few keys at a time: where the others end the one of this page, it gets another.
  await page.evaluate(async () => {
    const headers = { 'content-type': 'application/json' };
    for (let made = 0; made < 5; made += 1)
      await fetch('/console/api/token', { method: 'POST', headers, body: '{}' });
  });
  // A double click sends once, and stops nothing.
  const placed: string[] = [];
  page.on('response', (response) => {
    if (response.request().method() === 'POST') placed.push(`${response.status()} ${response.url()}`);
  });
  await place.getByRole('button', { name: 'Send' }).dblclick();
  await place.getByRole('status').getByText('201').waitFor();
  expect(placed.filter((response) => response.startsWith('201'))).toEqual([`201 ${origin}/v2/store/orders`]);
  // The focus stays on the selected element.
  await place.getByRole('button', { name: 'Use another key' }).press('Enter');
  await place.locator('input:focus').and(place.getByLabel('API key')).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Contents' }).click();
  await page.getByRole('link', { name: 'Get an order GET' }).click();
  await page.waitForURL(`${origin}/docs/v2/orders#getOrder`);
  await page.goto(`${origin}/console/requests`);
  await page.getByRole('link', { name: 'POST /v2/store/orders' }).first().click();
  await page.getByText('Session key (API reference)').waitFor();
  expect(complaints).toEqual([]);
});

slowIt(
  'the reference works without network or storage, and a typed key sends nothing by itself',
  async () => {
    await using visitor = await visit(browser);
    const { page } = visitor;
    const { origin, key } = staging();
    await page.route('**/console/api/session', (route) => route.abort());
    await page.goto(`${origin}/docs/v2/orders`);
    const list = page.locator('article#listOrders');
    await list.getByLabel('API key').fill(key);
    await list.getByRole('button', { name: 'Use key' }).click();
    await list.getByText('entered here').waitFor();
    await page.unroute('**/console/api/session');
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.goto(`${origin}/docs/v2/orders`, { waitUntil: 'networkidle' });
    await list.getByText('entered here').waitFor();
    expect(requested).toContain(`${origin}/console/api/session`);
    expect(requested.filter((url) => url.includes('/v2/store/'))).toEqual([]);
  },
);

slowIt('every operation succeeds with the reference’s defaults, in a new store and a used one', async () => {
  const { key, request } = staging();
  const json = { 'content-type': 'application/json' };
  await request('POST /v2/sandbox/reset', { key, headers: json, body: '{"dataSet":"default"}' });
  const hook = await request('POST /v2/webhooks', {
    key,
    headers: json,
    body: '{"url":"http://127.0.0.1:9/hook"}',
  });
  await request(`POST /v2/webhooks/${hook.json<{ id: string }>().id}/test`, { key });
  const read = async (path: string) =>
    (await request(`GET /v2${path}`, { key }))
      .json<{ data: { id: string }[] }>()
      .data.map(({ id }) => String(id));
  for (let round = 0; round < 2; round++) {
    for (const version of ['v1', 'v2']) {
      const document = (await request(`GET /${version}/openapi.json`)).json<ApiDocument>();
      const present = await findSampleIds(version, read);
      const operations = groupsOf(document)
        .flatMap((group) => group.operations)
        // A signed-up user's store cannot be ended.
        .filter(({ isMessage, id }) => !isMessage && id !== 'endStore');
      // Requests that remove what others need come last.
      operations.sort((a, b) => last.indexOf(a.id) - last.indexOf(b.id));
      for (const operation of operations) {
        if (round === 0 && last.includes(operation.id)) continue;
        if (round === 1 && operation.id === 'streamEvents') continue;
        const call = callOf(operation, String(document.servers[0]?.url), initialValues(operation, present));
        // A stream stays open while it is read.
        const briefly = operation.id === 'streamEvents' ? '-m 10' : '';
        const { stdout } = await run(
          'sh',
          ['-c', `${samplesOf(call)[0]?.code} -s ${briefly} -o /dev/null -w '%{http_code}' || [ $? = 28 ]`],
          { env: { ...process.env, PETSTORE_KEY: key } },
        );
        expect([operation.id, stdout]).toEqual([operation.id, expect.stringMatching(/^2\d\d$/)]);
      }
    }
  }
});

const last = ['deleteWebhook', 'armFaults', 'resetSandbox'];
it.each([
  ['JavaScript', 'node', ['--input-type=module', '-e']],
  ['Python', 'python3', ['-c']],
] as const)('the example in %s keeps 64-bit integers exact', async (label, command, args) => {
  const { origin, key, request } = staging();
  const send = { headers: { 'content-type': 'application/json' }, body: '{"dataSet":"int64"}' };
  await request('POST /v2/sandbox/reset', { key, ...send });
  const sample = samplesOf({
    method: 'GET',
    url: `${origin}/v2/store/orders/9007199254740993`,
    headers: [],
    body: undefined,
  }).find(({ name }) => name === label);
  const { stdout } = await run(
    command === 'node' ? process.execPath : command,
    [...args, sample?.code ?? ''],
    {
      env: { ...process.env, PETSTORE_KEY: key },
    },
  );
  expect(stdout).toMatch(/200.*9007199254740993/s);
});

it('the Python example sends a body in any language', async () => {
  const { origin, key } = staging();
  const headers: Array<[string, string]> = [['Content-Type', 'application/json']];
  const body = '{"name": "Žofie \\"Žo\\"", "category": "dog"}';
  const sample = samplesOf({ method: 'POST', url: `${origin}/v2/pets`, headers, body })[2];
  const { stdout } = await run('python3', ['-c', sample?.code ?? ''], {
    env: { ...process.env, PETSTORE_KEY: key, PYTHONIOENCODING: 'utf-8' },
  });
  expect(stdout).toMatch(/^201 .*Žofie "Žo"/);
});
