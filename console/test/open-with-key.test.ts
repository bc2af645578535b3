import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startProgram } from '../../server/test/support/program.ts';
import { slowIt } from '../../server/test/support/slow-it.ts';
import { violations } from './support/axe.ts';
import { goTo, signUpByApi, visit } from './support/browser.ts';
import { openConsole } from './support/open-console.ts';

const running = openConsole();

it('the printed link opens the demonstration store without account features', async () => {
  const { production, key } = running.program;
  await using visitor = await visit(running.browser);
  const { page, complaints } = visitor;
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url() + JSON.stringify(request.headers())));
  await page.goto(`${production}/console/open#${key}`);
  await page.getByRole('heading', { name: /orders are waiting|order is waiting/ }).waitFor();
  expect(page.url()).toBe(`${production}/console`);
  await page.goBack().catch(() => {});
  expect(page.url()).not.toContain(key);
  expect(requests.filter((request) => request.includes(key))).toEqual([]);
  await page.goto(`${production}/console`);
  await goTo(page, 'Orders');
  await page.getByRole('row', { name: /Order 40 / }).waitFor();
  await goTo(page, 'Keys');
  await page.getByText("can't list, create or revoke keys").waitFor();
  expect(await page.getByText("can't be rolled or revoked").count()).toBe(0);
  await page.getByText('Set these variables in your shell.').waitFor();
  await goTo(page, 'Webhooks');
  await page.getByText('No webhooks yet').waitFor();
  await fetch(`${production}/v1/pets`, { headers: { authorization: `Bearer ${key}` } });
  await goTo(page, 'Requests');
  await page
    .getByRole('row', { name: new RegExp(`GET /v1/pets.*…${key.slice(-4)}`) })
    .first()
    .waitFor();
  await goTo(page, 'Account');
  await page.getByRole('heading', { name: 'Signed in with an API key' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign in with a key' }).click();
  await page.getByRole('heading', { name: 'Sign in with an API key' }).waitFor();
  await page.locator('input:focus').and(page.getByLabel('API key')).waitFor();
  // Pasted into the address of this very page, the link loads nothing, and opens the store all the same.
  await page.evaluate((link) => location.assign(link), `${production}/console/open#${key}`);
  await page.getByText(`API key …${key.slice(-4)}`).waitFor();
  expect(page.url()).toBe(`${production}/console`);
  expect(complaints).toEqual([]);
});

slowIt('a used link is spent: after signing out nothing opens automatically', async () => {
  const { production, key } = running.program;
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  await page.goto(`${production}/console/open#${key}`);
  await page.getByText(`API key …${key.slice(-4)}`).waitFor();
  await goTo(page, 'Account');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign in with a key' }).click();
  expect(await page.getByLabel('API key').inputValue()).toBe('');
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
});

slowIt('the keys page explains that a static key can be neither rolled nor revoked', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'petstore-known-key-'));
  const flags = ['--port', '0', '--deployment', 'staging', '--staging-key', 'test-key'];
  await using program = await startProgram([...flags, '--data', folder.path]);
  await using visitor = await visit(running.browser);
  const { page, complaints } = visitor;
  await page.goto(`http://127.0.0.1:${program.port}/console/open#test-key`);
  await page.getByRole('heading', { name: /waiting to ship/ }).waitFor();
  await goTo(page, 'Keys');
  await page.getByText("It can't be rolled or revoked.").waitFor();
  expect(await page.getByRole('button', { name: /Roll|Revoke|Create/ }).count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it('a link does not replace a session without confirmation; an invalid key is explained', async () => {
  const { production, staging, key } = running.program;
  await using visitor = await visit(running.browser);
  const { page, context } = visitor;
  const { email } = await signUpByApi(context, production);
  await page.goto(`${production}/console/open#${key.slice(0, -1)}`);
  await page.getByText(`You are signed in as ${email}`).waitFor();
  expect(page.url()).toBe(`${production}/console/open`);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText("This key doesn't work").waitFor();
  await page.getByLabel('API key').fill(`pst_test_${key.slice(9)}`);
  const there = page.getByRole('link', { name: 'Sign in on staging' });
  expect(await there.getAttribute('href')).toBe(`${staging}/console/open#pst_test_${key.slice(9)}`);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText(`API key …${key.slice(-4)}`).waitFor();
});

it('a store opened with a read-only key says so on every page', async () => {
  const { production } = running.program;
  await using owner = await visit(running.browser);
  await signUpByApi(owner.context, production);
  const newKey = {
    data: { name: 'report', scope: 'read', expiresAt: null },
    headers: { origin: production },
  };
  const created = await owner.context.request.post(`${production}/console/api/keys`, newKey);
  await using visitor = await visit(running.browser, { width: 360 });
  const { page } = visitor;
  await page.goto(`${production}/console/open#${(await created.json()).key}`);
  await page.getByText('Read-only key').waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});
