import { execFile } from 'node:child_process';
import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { everyCase } from '../../server/test/support/effort.ts';
import { startProgram } from '../../server/test/support/program.ts';
import { slowIt } from '../../server/test/support/slow-it.ts';
import { violations } from './support/axe.ts';
import { copy, dialog, goTo, joinAt, themes, visit } from './support/browser.ts';
import { clipboard } from './support/clipboard.ts';
import { openConsole } from './support/open-console.ts';

const run = promisify(execFile);
const running = openConsole();
const orders = async (key: string) => {
  const response = await fetch(`${running.program.staging}/v1/store/orders`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return (await response.json()) as unknown[];
};

describe.each(themes('dark'))('the sandbox, in the %s theme', (scheme) => {
  it('fills the store from a file, reports invalid data, and exports the state', async () => {
    await using visitor = await visit(running.browser, { scheme });
    const { page } = visitor;
    const { key } = await joinAt(page, running.program.staging, '/sandbox');
    const section = page.getByRole('region', { name: 'Custom data' });
    const data = section.getByLabel('Pets and orders (JSON)');
    const fill = async (text: string) => {
      await data.fill(text);
      await section.getByRole('button', { name: 'Reset to this data…' }).click();
    };
    const confirm = () => dialog(page).getByRole('button', { name: 'Reset store' }).click();
    await fill('{"pets":');
    await section.getByText('This is not valid JSON.').waitFor();
    expect(await violations(page)).toEqual([]);
    await fill('{"pets":[],"orders":[{"petId":9,"quantity":1}]}');
    await confirm();
    await dialog(page).getByText('orders[0].petId').waitFor();
    await dialog(page).getByRole('button', { name: 'Keep data' }).click();
    expect(await orders(key)).toHaveLength(40);

    const downloading = page.waitForEvent('download');
    await section.getByRole('button', { name: 'Download data' }).click();
    const file = await (await downloading).path();
    const state = readFileSync(file, 'utf8');
    expect(JSON.parse(state).orders).toHaveLength(40);
    await fill('{"pets":[{"name":"Ada","category":"cat","stock":1}],"orders":[]}');
    await confirm();
    await page.getByText('Store reset: 0 orders and 1 pet').waitFor();
    await section.getByLabel('Choose file').setInputFiles(file);
    await expect.poll(() => data.inputValue()).toBe(state);
    await section.getByRole('button', { name: 'Reset to this data…' }).click();
    await confirm();
    await page.getByText('Store reset: 40 orders and 12 pets').waitFor();
    expect(await orders(key)).toHaveLength(40);
  });

  it('resets the store after a warning, arms faults, shows them fire, and disarms them', async () => {
    await using visitor = await visit(running.browser, { scheme });
    const { page } = visitor;
    const { key } = await joinAt(page, running.program.staging, '/sandbox');
    await page.getByText('No faults armed.').waitFor();
    expect(await violations(page)).toEqual([]);
    for (const command of ['petstore check-client -- ', 'petstore check-suite -- '])
      await page.getByRole('region', { name: 'Check from the command line' }).getByText(command).waitFor();

    await page.getByRole('radio', { name: /Edge-case IDs/ }).check();
    await page.getByRole('button', { name: 'Reset store…' }).click();
    await dialog(page).getByText('40 orders and 12 pets').waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Reset store' }).click();
    await page.getByText('Store reset: 9 orders and 9 pets').waitFor();
    expect(await orders(key)).toHaveLength(9);

    await page.getByRole('combobox', { name: 'Operation' }).selectOption('v1.listOrders');
    await page.getByRole('combobox', { name: 'Fault' }).selectOption('status');
    const statuses = page.getByLabel('Status');
    expect(await statuses.getByRole('option').allTextContents()).toEqual(
      expect.arrayContaining(['401', '429', '503']),
    );
    expect(await statuses.getByRole('option', { name: '409' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Arm fault', exact: true }).click();
    const armed = page.getByRole('list', { name: 'Armed faults' });
    await armed.getByText('v1.listOrders → status 503').waitFor();
    await armed.getByText('fired 0 of 1', { exact: true }).waitFor();
    expect(await orders(key)).toMatchObject({ code: 'unavailable' });
    await armed.getByText('fired 1 of 1', { exact: true }).waitFor();
    expect(await violations(page, { isNew: true })).toEqual([]);

    // A fault for everything does not touch the console itself.
    await page.getByRole('combobox', { name: 'Operation' }).selectOption('v2.listPets');
    await page.getByRole('combobox', { name: 'Fault' }).selectOption('delay');
    await page.getByRole('button', { name: 'Arm fault', exact: true }).click();
    await armed.getByText('v2.listPets → delay 2000 ms', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Disarm all' }).click();
    await page.getByText('No faults armed.').waitFor();
    await page.getByRole('combobox', { name: 'Operation' }).selectOption('*');
    await page.getByRole('combobox', { name: 'Fault' }).selectOption('drop');
    await page.getByLabel('Times').fill('');
    await page.getByRole('button', { name: 'Arm fault', exact: true }).click();
    await armed.getByText('* → drop').waitFor();
    await expect(orders(key)).rejects.toThrow('fetch failed');
    await armed.getByText('fired once', { exact: true }).waitFor();

    // The inspector shows what the client saw, links back here, and has the original call.
    const order = { petId: 1, quantity: 1 };
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const placing = { method: 'POST', headers, body: JSON.stringify(order) };
    await expect(fetch(`${running.program.staging}/v2/store/orders`, placing)).rejects.toThrow(
      'fetch failed',
    );
    await goTo(page, 'Requests');
    await page.getByRole('row', { name: /No response.*v2\.placeOrder.*Fault: drop/ }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'POST /v2/store/orders' }).click();
    await page.getByText('A sandbox fault was triggered').waitFor();
    await page.getByText('{ "petId": 1, "quantity": 1 }', { exact: true }).waitFor();
    await page.getByText(`-d '{"petId":1,"quantity":1}'`).waitFor();
    await page.getByText('No response was sent.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Go to sandbox' }).click();
    await armed.getByText('fired 2 times', { exact: true }).waitFor();
    // Every page shows it, and can end it.
    await goTo(page, 'Orders');
    await page.getByRole('link', { name: '1 fault armed' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Disarm', exact: true }).click();
    await page.getByRole('link', { name: '1 fault armed' }).waitFor({ state: 'detached' });
    await goTo(page, 'Sandbox');
    await page.getByText('No faults armed.').waitFor();
    expect(await orders(key)).toHaveLength(9);
    expect(visitor.complaints).toEqual([]);
  });
});

describe('the sandbox', () => {
  it('a recipe shows the requests that arrive and whether the client passed', async () => {
    await using visitor = await visit(running.browser);
    const { page } = visitor;
    const { staging } = running.program;
    const { key } = await joinAt(page, staging, '/sandbox');
    const headers = { authorization: `Bearer ${key}` };
    const pets = () => fetch(`${staging}/v1/pets`, { headers });
    const recipe = page.getByRole('region', { name: '429 with Retry-After' });
    await page.getByRole('button', { name: 'Start 429 with Retry-After' }).click();
    expect(await page.getByRole('list', { name: 'Recipes' }).getByRole('button').count()).toBe(8);
    await recipe.getByText('Waiting for your client…').waitFor();
    expect((await pets()).headers.get('retry-after')).toBe('3');
    await pets();
    await recipe.getByText('sooner than Retry-After allows').waitFor();
    const arrived = recipe.getByRole('list', { name: 'Requests' }).getByRole('listitem');
    expect(await arrived.allTextContents()).toEqual([
      expect.stringMatching(/^429Fault: status.*GET \/v1\/pets$/),
      expect.stringMatching(/^200.*GET \/v1\/pets$/),
    ]);
    expect(await violations(page, { isNew: true })).toEqual([]);

    await page.getByRole('button', { name: 'Start 64-bit IDs' }).click();
    await dialog(page).getByRole('button', { name: 'Reset store' }).click();
    const ids = page.getByRole('region', { name: '64-bit IDs' });
    await ids.getByText('Waiting for your client…').waitFor();
    const order = `${staging}/v1/store/orders/9007199254740993`;
    await fetch(order, { method: 'DELETE', headers });
    await ids.getByText('9007199254740993 arrived exactly.').waitFor();
    await page.getByText('1 of 8 passed').waitFor();
  });

  slowIt('shows equivalent calls that work when copied', async () => {
    await using visitor = await visit(running.browser);
    const { page } = visitor;
    const { key } = await joinAt(page, running.program.staging, '/sandbox');
    const copied = async (name: string) => {
      await copy(page, `${name} snippet`);
      const call = await clipboard(page);
      return (await run('sh', ['-c', `${call} -s`], { env: { ...process.env, PETSTORE_KEY: key } })).stdout;
    };
    await page.getByRole('radio', { name: /Large/ }).check();
    await page.getByLabel('Orders', { exact: true }).fill('123');
    expect(JSON.parse(await copied('Reset with curl'))).toMatchObject({ dataSet: 'large', orders: 123 });
    expect(await orders(key)).toHaveLength(123);
    expect(JSON.parse(await copied('Arm with curl'))).toMatchObject([
      { operation: 'v1.cancelOrder', fault: 'lost-answer', times: 1 },
    ]);
    await page
      .getByRole('list', { name: 'Armed faults' })
      .getByText('v1.cancelOrder → lost-answer')
      .waitFor();
    await page.getByRole('tab', { name: 'Disarm with curl' }).click();
    expect(await copied('Disarm with curl')).toBe('');
    await page.getByText('No faults armed.').waitFor();
  });

  it('is hidden on production', async () => {
    await using visitor = await visit(running.browser);
    const { page } = visitor;
    await joinAt(page, running.program.production, '');
    await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Keys' }).waitFor();
    expect(await page.getByRole('link', { name: 'Sandbox' }).count()).toBe(0);
    await page.goto(`${running.program.production}/console/sandbox`);
    await page.getByRole('heading', { name: 'Sandbox' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Reset store…' }).count()).toBe(0);
  });
});

it.each<[string[], RegExp]>([
  [[], /^Staging ?Planted bug in v1\.cancelOrder$/],
  ...(everyCase
    ? [[['--reveal'], /^Staging ?Planted bug in v1\.cancelOrder: cancel-twice-is-204$/] as [string[], RegExp]]
    : []),
])('shows that a bug is served deliberately, and names it only if allowed: %j', async (flags, shown) => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'petstore-console-'));
  const staging = ['--deployment', 'staging', '--port', '0', '--data', folder.path];
  await using program = await startProgram([...staging, '--bug', 'cancel-twice-is-204', ...flags]);
  await using visitor = await visit(running.browser, { scheme: 'light' });
  const { page } = visitor;
  await joinAt(page, `http://127.0.0.1:${program.port}`, '');
  const band = page.getByRole('banner').getByText('Planted bug');
  await band.waitFor();
  expect(await band.locator('xpath=..').textContent()).toMatch(shown);
  expect(await violations(page, { isNew: true })).toEqual([]);
});

slowIt('suggested values work with the store’s data', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  const { staging } = running.program;
  const { key } = await joinAt(page, staging, '/keys');
  const reset = async (body: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    await fetch(`${staging}/v2/sandbox/reset`, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const pets = [{ name: 'Ada', category: 'cat', stock: 1 }];
  const order = { petId: 1, quantity: 1 };
  const orders = [
    { id: 7, ...order },
    { id: 8, ...order },
    { id: 36, ...order, status: 'shipped' },
  ];
  await reset({ data: { pets, orders } });
  await page.goto(`${staging}/docs#cancelOrder`);
  const tried = page.getByRole('region', { name: 'Try cancelOrder' });
  await expect.poll(() => tried.getByLabel('orderId').inputValue()).toBe('7');

  await reset({ dataSet: 'empty' });
  await page.goto(`${staging}/console/keys`);
  await page.getByRole('button', { name: 'Create key' }).click();
  await dialog(page).getByLabel('Name').fill('nightly');
  await dialog(page).getByRole('button', { name: 'Create key' }).click();
  await dialog(page).getByText('# List all orders').waitFor();
  expect(await dialog(page).getByText('DELETE').count()).toBe(0);
});

slowIt('on a narrow phone, an armed fault leaves the name of the deployment readable', async () => {
  await using visitor = await visit(running.browser, { width: 320 });
  const { page } = visitor;
  const { staging } = running.program;
  const { key } = await joinAt(page, staging, '');
  await fetch(`${staging}/v2/sandbox/faults`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '[{"operation":"*","fault":"delay","times":null,"parameters":{"ms":1}}]',
  });
  await page.getByRole('button', { name: 'Disarm' }).waitFor();
  const name = page.getByRole('banner').getByText('Staging').locator('xpath=..');
  expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

slowIt('faults that have all fired do not block arming another', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  const { staging } = running.program;
  const { key } = await joinAt(page, staging, '/orders');
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const rules = Array.from({ length: 20 }, () => ({
    operation: 'v1.listPets',
    fault: 'status',
    parameters: { code: 503 },
  }));
  const body = JSON.stringify(rules);
  await fetch(`${staging}/v2/sandbox/faults`, { method: 'PUT', headers, body });
  await page.goto(`${staging}/console/sandbox`);
  const arm = page.getByRole('button', { name: 'Arm fault', exact: true });
  await page.getByText('You can arm up to 20 faults at a time.').waitFor();
  expect(await arm.isDisabled()).toBe(true);
  for (const _ of rules) await fetch(`${staging}/v1/pets`, { headers });
  await page.reload();
  await page.getByText('fired 1 of 1').first().waitFor();
  await arm.click();
  await page.getByText('v1.cancelOrder → lost-answer').waitFor();
});
