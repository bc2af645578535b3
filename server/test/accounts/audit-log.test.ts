import { describe, expect, it } from 'vitest';
import { runCommand } from '../support/command.ts';
import { engines } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import {
  codeOf,
  createKey,
  fastAccounts,
  firstKey,
  type Member,
  newAddress,
  openBrowser,
  PASSWORD,
  signUpAndIn,
} from './browser.ts';

interface Event {
  id: string;
  at: string;
  what: string;
  key: { id: string; lastFour: string } | null;
  address: string;
}

describe.each(engines)('account activity on $name', (engine) => {
  const service = useService(engine, { accounts: fastAccounts, trustProxy: true });
  const eventsOf = async ({ browser }: Member, query = '') =>
    (await browser.send(`GET /events${query}`)).json<{ data: Event[]; nextCursor: string | null }>();
  const from = (address: string) => ({ 'x-forwarded-for': address });

  it('is shown to the owner: time, event, key and address', async () => {
    const email = newAddress();
    const browser = openBrowser(service());
    const credentials = { email, password: PASSWORD };
    await browser.send('POST /sign-up', credentials, from('203.0.113.1'));
    await openBrowser(service()).send('POST /sign-up', credentials, from('203.0.113.2'));
    await openBrowser(service()).send('POST /sign-in', { email, password: 'wrong' }, from('203.0.113.3'));
    await browser.send('POST /sign-in', credentials, from('203.0.113.4'));
    const member = { email, browser };
    const first = await firstKey(member);
    const created = await createKey(member, { name: 'second' });
    const rolled = (await browser.send(`POST /keys/${created.id}/roll`, { overlap: 'now' })).json<
      typeof created
    >();
    for (const _ of [1, 2]) await browser.send(`DELETE /keys/${first.id}`);
    await browser.send('POST /change-password', {
      currentPassword: 'wrong',
      newPassword: 'marble-77-lantern',
    });
    await browser.send('POST /change-password', {
      currentPassword: PASSWORD,
      newPassword: 'marble-77-lantern',
    });
    const other = openBrowser(service());
    await other.send('POST /sign-in', { email, password: 'marble-77-lantern' }, from('203.0.113.5'));
    await other.send('POST /sign-out');
    await runCommand(['keys', 'revoke', rolled.id, ...service().database.flags]);

    const { data } = await eventsOf(member);
    const reported = data
      .sort((a, b) => (a.at < b.at ? -1 : 1))
      .map(({ what, key, address }) => [what, key?.lastFour, address]);
    const here = '127.0.0.1';
    expect(reported.slice().sort()).toEqual(
      [
        ['signed_up', undefined, '203.0.113.1'],
        ['sign_up_repeated', undefined, '203.0.113.2'],
        ['sign_in_failed', undefined, '203.0.113.3'],
        ['signed_in', undefined, '203.0.113.4'],
        ['key_created', first.lastFour, here],
        ['key_created', created.lastFour, here],
        ['key_rolled', rolled.lastFour, here],
        ['key_revoked', first.lastFour, here],
        ['password_refused', undefined, here],
        ['password_changed', undefined, here],
        ['signed_in', undefined, '203.0.113.5'],
        ['signed_out', undefined, here],
        ['key_revoked', rolled.lastFour, 'command line'],
      ].sort(),
    );
    for (const { at } of data) expect(at).toMatch(/^\d{4}-.*Z$/);
  });

  it('is logged without secrets', async () => {
    const member = await signUpAndIn(service());
    const { key, id } = await firstKey(member);
    const { key: token } = (await member.browser.send('POST /token')).json<{ key: string }>();
    const lines = service().log.filter((line) => line.includes('"event":'));
    const [account] = await service().database.rows(
      `SELECT id FROM accounts WHERE email = '${member.email}'`,
    );
    const own = lines.filter((line) => line.includes(String(account?.id))).map((line) => JSON.parse(line));
    expect(own).toMatchObject([
      { event: 'signed_up', address: '127.0.0.1' },
      { event: 'signed_in', address: '127.0.0.1' },
      { event: 'key_created', key: id, lastFour: key.slice(-4) },
    ]);
    const all = service().log.join('');
    for (const secret of [key, token, PASSWORD, member.email, ...member.browser.cookies.values()]) {
      expect(all).not.toContain(secret);
    }
  });

  it('is recorded for an address without an account, readable by no account', async () => {
    const count = async () =>
      (await service().database.rows('SELECT count(*) AS n FROM audit'))[0]?.n as bigint;
    const before = await count();
    await openBrowser(service()).send('POST /sign-in', { email: newAddress(), password: 'wrong' });
    expect((await count()) - before).toBe(1n);
    const { email } = await signUpAndIn(service());
    const known = await count();
    await openBrowser(service()).send('POST /sign-in', { email, password: 'wrong' });
    expect((await count()) - known).toBe(1n);
  });

  it('is paginated, newest first, and visible only to the owner', async () => {
    const [member, otherAccount] = [await signUpAndIn(service()), await signUpAndIn(service())];
    for (const _ of [1, 2, 3]) await createKey(member, { name: 'more' });
    const all = (await eventsOf(member)).data;
    expect(all).toHaveLength(5);
    const walked: Event[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await eventsOf(member, `?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(page.data.length).toBeLessThanOrEqual(2);
      walked.push(...page.data);
      cursor = page.nextCursor;
    }
    expect(walked).toEqual(all);
    expect((await eventsOf(otherAccount)).data).toHaveLength(2);
    for (const query of ['?limit=0', '?limit=1001', '?limit=x', '?other=1', '?limit=1&limit=2']) {
      expect([query, codeOf(await member.browser.send(`GET /events${query}`))]).toEqual([
        query,
        '400 invalid_parameter',
      ]);
    }
    expect(codeOf(await member.browser.send('GET /events?cursor=x'))).toBe('400 invalid_cursor');
  });

  it('is limited to the newest thousand entries', async () => {
    const member = await signUpAndIn(service());
    const [row] = await service().database.rows(`SELECT id FROM accounts WHERE email = '${member.email}'`);
    await service().database.exec(
      `INSERT INTO audit (account_id, at, id, what, address)
       SELECT '${row?.id}', n, 'e' || n, 'signed_in', 'x' FROM
       (WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1200)
         SELECT n FROM numbers) AS made`,
    );
    await createKey(member, { name: 'one more' });
    const [stored] = await service().database.rows(
      `SELECT count(*) AS n, min(at) AS oldest FROM audit WHERE account_id = '${row?.id}'`,
    );
    expect(stored).toEqual({ n: 1000n, oldest: 204n });
  });
});
