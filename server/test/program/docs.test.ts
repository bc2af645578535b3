import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findPresent } from '../../../console/src/docs/present.ts';
import { samplesOf } from '../../../console/src/docs/samples.ts';
import { type ApiDocument, tryable } from '../../../console/src/docs/tryable.ts';
import { violations } from '../../../console/test/support/axe.ts';
import { openBrowser, visit } from '../../../console/test/support/browser.ts';
import { temporaryFolder } from '../support/engines.ts';
import { type RunningProgram, requesterFor, startProgram } from '../support/program.ts';

const run = promisify(execFile);

const folder = temporaryFolder();
let program: RunningProgram;
let browser: Browser;
beforeAll(async () => {
  program = await startProgram(['--port', '0', '--data', folder.path]);
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

it('the API reference calls the running service, and loads nothing from elsewhere', async () => {
  await using visitor = await visit(browser);
  const { page } = visitor;
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`http://127.0.0.1:${program.port}/`) && !/^(data|blob):/.test(url))
      elsewhere.push(url);
  });

  const origin = `http://127.0.0.1:${program.port}`;
  await page.goto(`${origin}/docs/v1`);
  await page.getByLabel('API key').fill(program.key);
  await page
    .getByRole('button', { name: /Test Request/ })
    .first()
    .click();
  const answered = page.waitForResponse((response) => response.url().endsWith('/v1/store/orders'));
  await page.getByRole('button', { name: /^Send/ }).first().click();
  const answer = await answered;
  expect(answer.status()).toBe(200);
  expect(await answer.json()).toHaveLength(40);
  await page.getByText('200 OK').first().waitFor();
  expect(elsewhere).toEqual([]);
  // Whatever its policy refuses, a browser complains of.
  expect(visitor.complaints).toEqual([]);
  // Typed in, the key stays for the tab: over a reload, and for the other version, which the reference begins with.
  expect(await answer.request().headerValue('if-none-match')).toBeNull();
  await page.goto(`${origin}/docs`);
  await page.getByRole('heading', { name: 'List orders, by page' }).waitFor();
  expect(await page.getByLabel('API key').inputValue()).toBe(program.key);
  expect(await page.getByRole('link', { name: /Version 2/ }).getAttribute('aria-current')).toBe('page');
  await page.getByRole('button', { name: /curl/ }).first().click();
  for (const language of ['JavaScript', 'Python', 'Go', 'Java'])
    await page.getByRole('option', { name: language, exact: true }).first().waitFor();

  const { headers } = await program.request('GET /docs/');
  const policy = String(headers['content-security-policy']);
  expect(policy).toMatch(/script-src 'self'(;|$)/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(headers['x-frame-options']).toBe('DENY');
});

it('the API reference is one of our pages: the way to the console, the colours, the key of the session', async () => {
  await using visitor = await visit(browser, { scheme: 'dark', width: 1400 });
  const { page, complaints } = visitor;
  const { origin, key } = staging();
  await page.goto(`${origin}/docs/`);
  await page.getByText('Sign in, and it is filled in.').waitFor();
  await page.goto(`${origin}/console/open#${key}`);
  await page.waitForURL(`${origin}/console`);
  await page.goto(`${origin}/docs/`);
  await page.getByText('Of your session').waitFor();
  expect(await page.getByLabel('API key').inputValue()).toMatch(/^pst_test_\w{38}$/);
  expect(await page.getByLabel('API key').inputValue()).not.toBe(key);
  await page.getByText('Staging', { exact: true }).waitFor();
  const dark = () => page.evaluate("document.body.classList.contains('dark-mode')");
  await expect.poll(dark).toBe(true);
  expect(await violations(page, '#docs-header')).toEqual([]);
  await page.getByRole('button', { name: /Show in/ }).click();
  await expect.poll(dark).toBe(false);
  expect(await violations(page, '#docs-header')).toEqual([]);
  expect(complaints).toEqual([]);
  await page.getByRole('link', { name: 'Console' }).click();
  await page.getByRole('heading', { name: /waiting to ship/ }).waitFor();
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('light');
});

it('every operation succeeds as the reference offers it first, in a store that is new and in one that is not', async () => {
  const { key, request } = staging();
  const call = async <T>(path: string): Promise<T> => (await request(`GET ${path}`, { key })).json<T>();
  const hook = await request('POST /v2/webhooks', {
    key,
    headers: { 'content-type': 'application/json' },
    body: '{"url":"http://127.0.0.1:9/hook"}',
  });
  await request(`POST /v2/webhooks/${hook.json<{ id: string }>().id}/test`, { key });
  const read = async (path: string) =>
    (await call<{ data: { id: string }[] }>(`/v2${path}`)).data.map(({ id }) => String(id));
  for (let round = 0; round < 2; round++) {
    for (const version of ['v1', 'v2']) {
      const document = JSON.parse((await request(`GET /${version}/openapi.json`)).text) as ApiDocument;
      const { paths } = tryable(document, 'staging', await findPresent(version, read)) as Tried;
      const operations = Object.values(paths).flatMap((item) => Object.values(item));
      // What would take something away that another needs comes last.
      operations.sort((a, b) => last.indexOf(a.operationId) - last.indexOf(b.operationId));
      for (const { operationId, 'x-codeSamples': samples } of operations) {
        if (round === 0 && last.includes(operationId)) continue;
        const { stdout } = await run(
          'sh',
          ['-c', `${samples[0]?.source} -s -o /dev/null -w '%{http_code}'`],
          {
            env: { ...process.env, API_KEY: key },
          },
        );
        expect([operationId, stdout]).toEqual([operationId, expect.stringMatching(/^2\d\d$/)]);
      }
    }
  }
});

const last = ['deleteWebhook', 'armFaults', 'resetSandbox'];
interface Tried {
  paths: Record<string, Record<string, { operationId: string; 'x-codeSamples': Array<{ source: string }> }>>;
}

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
    body: undefined,
  }).find((one) => one.label === label);
  const { stdout } = await run(
    command === 'node' ? process.execPath : command,
    [...args, sample?.source ?? ''],
    {
      env: { ...process.env, API_KEY: key },
    },
  );
  expect(stdout).toMatch(/200.*9007199254740993/s);
});
