import { expect, it } from 'vitest';
import { launchBrowser, visit } from '../../../console/test/support/browser.ts';
import { temporaryFolder } from '../support/engines.ts';
import { startProgram } from '../support/program.ts';

it('the API reference calls the running service, and loads nothing from elsewhere', async () => {
  using folder = temporaryFolder();
  await using program = await startProgram(['--port', '0', '--data', folder.path]);
  await using browser = await launchBrowser();
  await using visitor = await visit(browser);
  const { page } = visitor;
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`http://127.0.0.1:${program.port}/`) && !/^(data|blob):/.test(url))
      elsewhere.push(url);
  });

  await page.goto(`http://127.0.0.1:${program.port}/docs/`);
  await page.getByPlaceholder('Token').first().fill(program.key);
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
  const { headers } = await program.request('GET /docs/');
  const policy = String(headers['content-security-policy']);
  expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/]{43}='(;|$)/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(headers['x-frame-options']).toBe('DENY');
});
