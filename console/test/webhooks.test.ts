import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { everyTheme, isLanguageTested } from '../../server/test/support/effort.ts';
import { isSigned, type Received, signatureOf, startReceiver } from '../../server/test/support/receiver.ts';
import { slowIt } from '../../server/test/support/slow-it.ts';
import { verifySnippets } from '../src/verify-snippets.ts';
import { violations } from './support/axe.ts';
import { copy, dialog, goTo, joinAt, type Scheme, visit } from './support/browser.ts';
import { clipboard } from './support/clipboard.ts';
import { openConsole } from './support/open-console.ts';

const run = promisify(execFile);
const running = openConsole();

type Walk = [Scheme, 'production' | 'staging', number];
const walk: Walk = ['dark', 'staging', 400];
const other: Walk = ['light', 'production', 1280];

describe.each(everyTheme ? [walk, other] : [walk])(
  'webhooks, in the %s theme on %s, %d pixels wide',
  (scheme, deployment, width) => {
    it('one is created, tested, followed, changed, given a new secret, and deleted', async () => {
      let reply = 500;
      await using receiver = await startReceiver((_, response) =>
        response.writeHead(reply).end(`cat ${reply}`),
      );
      await using visitor = await visit(running.browser, { scheme, width });
      const { page } = visitor;
      const origin = running.program[deployment];
      const { key } = await joinAt(page, origin, '/webhooks');
      await page.getByText('No webhooks yet').waitFor();
      expect(await violations(page)).toEqual([]);

      await page.getByRole('button', { name: 'Add webhook' }).click();
      await dialog(page).getByLabel('URL').fill('ftp://example.com');
      await dialog(page).getByRole('button', { name: 'Add webhook' }).click();
      await dialog(page).getByRole('alert').filter({ hasText: '422 invalid_webhook_url' }).waitFor();
      await dialog(page).getByLabel('URL').fill(receiver.url);
      // Only staging can be reset.
      const resets = dialog(page).getByRole('checkbox', { name: 'store.reset' });
      if (deployment === 'staging') await resets.uncheck();
      else expect(await resets.count()).toBe(0);
      expect(await violations(page)).toEqual([]);
      await dialog(page).getByRole('button', { name: 'Add webhook' }).click();

      // The secret stays visible until the user confirms that it is saved.
      const secret = (await dialog(page).locator('code').textContent()) ?? '';
      expect(secret).toMatch(/^whsec_/);
      await page.keyboard.press('Escape');
      await page.mouse.click(5, 5);
      expect(await violations(page)).toEqual([]);
      await dialog(page).getByRole('button', { name: "I've saved it" }).click();
      await page.getByRole('heading', { name: receiver.url }).waitFor();
      expect(await page.content()).not.toContain(secret);

      await page.getByText('No deliveries yet').waitFor();
      await page.getByRole('button', { name: 'Send test event' }).click();
      const [test] = (await receiver.waitForMessages(1)) as [Received];
      expect(isSigned(secret, test)).toBe(true);
      const row = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');
      await row
        .filter({ hasText: 'webhook.test' })
        .filter({ hasText: /\d attempt/ })
        .waitFor();
      // A narrow window wraps a row below its title, not below its arrow.
      const leftOf = async (text: RegExp | string) => (await row.getByText(text).first().boundingBox())?.x;
      await page.setViewportSize({ width: 640, height: 860 });
      expect(await leftOf(/\d attempt/)).toBeGreaterThan((await leftOf('webhook.test')) ?? 0);
      await page.setViewportSize({ width, height: 860 });
      await row.locator('summary').click();
      await row.getByText('cat 500').first().waitFor();
      await row.getByText(`webhook-id: ${test.headers['webhook-id']}`).waitFor();
      const shown = /webhook-timestamp: (\d+)/.exec(
        (await row.locator('pre').first().textContent()) ?? '',
      )?.[1];
      expect(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).toContain(shown);
      expect(await violations(page)).toEqual([]);

      reply = 200;
      await row.getByRole('button', { name: 'Redeliver 1' }).click();
      await row.getByText('Delivered').waitFor();
      await row.getByText('cat 200').first().waitFor();

      // Changes by a program appear live, exactly as sent.
      await fetch(`${origin}/v2/store/orders/40/ship`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
      });
      const shipped = row.filter({ hasText: 'order.shipped' });
      await shipped.getByText('Delivered').waitFor();
      await shipped.locator('summary').click();
      await copy(shipped, 'request');
      const copied = await clipboard(page);
      expect(receiver.received.map(({ body }) => body)).toContain(JSON.stringify(JSON.parse(copied)));
      const figures = page.getByRole('region', { name: 'Last 24 hours' }).locator('dl');
      await figures.filter({ hasText: /^Delivered2Pending0Failed0$/ }).waitFor();
      await page.getByText('Show as table').click();
      expect(await violations(page, { isNew: true })).toEqual([]);

      await page.getByRole('button', { name: 'Roll secret' }).click();
      await dialog(page).getByRole('button', { name: 'Roll secret' }).click();
      await dialog(page).getByRole('heading', { name: 'New signing secret' }).waitFor();
      const second = (await dialog(page).locator('code').textContent()) ?? '';
      expect(second).not.toBe(secret);
      await dialog(page).getByRole('button', { name: "I've saved it" }).click();
      const before = receiver.received.length;
      await page.getByRole('button', { name: 'Send test event' }).click();
      const last = (await receiver.waitForMessages(before + 1)).at(-1) as Received;
      expect([isSigned(secret, last), isSigned(second, last)]).toEqual([true, true]);

      await page.getByRole('button', { name: 'Edit' }).click();
      await dialog(page).getByLabel('URL').fill(`${receiver.url}/elsewhere`);
      await dialog(page).getByRole('checkbox', { name: 'order.placed' }).uncheck();
      await dialog(page).getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: `${receiver.url}/elsewhere` }).waitFor();
      // What was sent before went to the address of before.
      await shipped.getByText(`to ${receiver.url}`, { exact: true }).waitFor();
      await page
        .getByText('order.shipped, order.delivered, order.cancelled, pet.created, pet.changed')
        .waitFor();
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByText('Paused', { exact: true }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByText('Active', { exact: true }).waitFor();

      await page.getByRole('button', { name: 'Delete' }).click();
      await dialog(page).getByRole('button', { name: 'Delete webhook' }).click();
      await page.getByText('No webhooks yet').waitFor();
      expect(visitor.complaints).toEqual([]);
    });
  },
);

describe('the snippets that verify a signature', () => {
  const secret = `whsec_${Buffer.from('thirty-two bytes, more or less..').toString('base64')}`;
  const body = '{"id":"7","type":"pet.created","data":{"name":"Zoë"}}';
  const signed = (at: Date) => signatureOf(secret, 'msg_1', at, body);
  const seconds = (at: Date) => String(Math.floor(at.getTime() / 1000));
  /** Timestamp, signatures, body, and whether it is genuine: five minutes after `now`, none is. */
  type Case = [timestamp: string, signatures: string, body: string, isGenuine: boolean];
  const casesAt = (now: Date, old = new Date(now.getTime() - 400_000)): readonly Case[] => [
    [seconds(now), signed(now), body, true],
    [seconds(now), `v1,${'A'.repeat(43)}= v1a,x ${signed(now)}`, body, true],
    [seconds(now), signed(now), body.replace('Zoë', 'Zoe'), false],
    [seconds(now), `v1,${'A'.repeat(43)}=`, body, false],
    [seconds(now), 'v1,nonsense', body, false],
    [seconds(old), signed(old), body, false],
    ['soon', signed(now), body, false],
  ];
  const code = (name: string) => verifySnippets.find((snippet) => snippet.name === name)?.code ?? '';
  const quoted = (text: string) => JSON.stringify(text);
  const literals = (cases: readonly Case[]) =>
    cases.map(([t, s, b]) => `{${quoted(t)},${quoted(s)},${quoted(b)}}`).join();

  /** Each snippet as a program that prints its verdict on every case. */
  type Program = [file: string, text: string, command: string[]][];
  const programsFor = (cases: readonly Case[]): Record<string, Program> => ({
    JavaScript: [
      [
        'check.mjs',
        `${code('JavaScript')}
for (const [timestamp, signatures, body] of ${JSON.stringify(cases)}) {
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': signatures };
  console.log(isGenuine(headers, Buffer.from(body), ${quoted(secret)}));
}`,
        [process.execPath, 'check.mjs'],
      ],
    ],
    Python: [
      [
        'check.py',
        `${code('Python')}
import json
for timestamp, signatures, body, _ in json.loads(${quoted(JSON.stringify(cases))}):
    headers = {"webhook-id": "msg_1", "webhook-timestamp": timestamp, "webhook-signature": signatures}
    print(str(is_genuine(headers, body.encode(), ${quoted(secret)})).lower())`,
        ['python3', 'check.py'],
      ],
    ],
    Go: [
      ['webhooks.go', code('Go').replace('package webhooks', 'package main'), []],
      [
        'main.go',
        `package main
import ("fmt"; "net/http")
func main() {
	for _, c := range [][3]string{${literals(cases)}} {
		header := http.Header{}
		header.Set("webhook-id", "msg_1"); header.Set("webhook-timestamp", c[0]); header.Set("webhook-signature", c[1])
		fmt.Println(IsGenuine(header, []byte(c[2]), ${quoted(secret)}))
	}
}`,
        ['go', 'run', 'webhooks.go', 'main.go'],
      ],
    ],
    Java: [
      [
        'Check.java',
        `${code('Java')}
class Check {
  public static void main(String[] args) throws Exception {
    String[][] cases = {${literals(cases)}};
    for (String[] c : cases)
      System.out.println(Webhooks.isGenuine("msg_1", c[0], c[1], c[2].getBytes(StandardCharsets.UTF_8), ${quoted(secret)}));
  }
}`,
        ['sh', '-c', 'javac -d . -encoding UTF-8 Check.java && java -cp . Check'],
      ],
    ],
  });
  for (const { name } of verifySnippets)
    it.runIf(isLanguageTested(name))(`accept a genuine message in ${name}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'petstore-snippet-'));
      try {
        const cases = casesAt(new Date());
        const files = programsFor(cases)[name] ?? [];
        for (const [file, text] of files) writeFileSync(join(folder, file), text);
        const [command = '', ...rest] = files.at(-1)?.[2] ?? [];
        const { stdout } = await run(command, rest, { cwd: folder });
        expect(stdout.trim().split('\n')).toEqual(cases.map(([, , , isGenuine]) => String(isGenuine)));
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
});

slowIt('a secret stays visible until it is saved, even after going back', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  await joinAt(page, running.program.production, '/orders');
  await goTo(page, 'Webhooks');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await dialog(page).getByLabel('URL').fill('http://127.0.0.1:1/hook');
  await dialog(page).getByRole('button', { name: 'Add webhook' }).click();
  const shown = page.getByRole('dialog', { name: 'Signing secret' });
  await shown.waitFor();
  await page.goBack();
  await page.waitForURL('**/console/orders');
  expect(await shown.locator('code').first().textContent()).toMatch(/^whsec_/);
  await shown.getByRole('button', { name: "I've saved it" }).click();
  await page.waitForURL('**/console/webhooks/wh_*');
});
