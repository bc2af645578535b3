import { describe, expect, it } from 'vitest';
import { changePassword } from '../../src/accounts/change-account.ts';
import { startSession } from '../../src/accounts/start-and-end-sessions.ts';
import type { Connection } from '../../src/database/query.ts';
import { runCommand } from '../support/command.ts';
import { everyCase } from '../support/effort.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { startService, useService } from '../support/service.ts';
import { codeOf, fastAccounts, firstKey, openBrowser, PASSWORD, signUpAndIn, statusOf } from './browser.ts';

const DAY = 24 * 60 * 60 * 1000;
const COOKIE = 'petstore_production_session';

const calls = [
  'POST /sign-out-everywhere',
  'POST /change-password',
  'DELETE /account',
  'POST /token',
  'GET /keys',
  'POST /keys',
  'POST /keys/key_x/roll',
  'DELETE /keys/key_x',
  'GET /sessions',
  'DELETE /sessions/x',
  // Not every path with this suffix checks the session.
  'DELETE /sessions/session',
  'DELETE /keys/session',
  'GET /events',
];

describe.each(engines)('sessions on $name', (engine) => {
  // A clock that only advances when a test sets it.
  const begun = Date.now();

  let ahead = 0;

  const service = useService(engine, { accounts: fastAccounts, now: () => begun + ahead });

  const signIn = async (email: string, password = PASSWORD) => {
    const browser = openBrowser(service());
    return { browser, response: await browser.send('POST /sign-in', { email, password }) };
  };

  const tokenOf = async ({ browser }: Awaited<ReturnType<typeof signUpAndIn>>) =>
    (await browser.send('POST /token')).json<{ key: string; expiresAt: string }>();

  it('last, even if a clock that was ahead created the maximum number of them', async () => {
    const { email } = await signUpAndIn(service());
    const later = begun + DAY;
    const owner = `(SELECT id FROM accounts WHERE email = '${email}')`;
    const rows = Array.from(
      { length: 100 },
      (_, i) => `('${email}${i}', ${owner}, '${email}${i}', ${later}, ${later}, ${later}, '', '')`,
    );
    await service().database.exec(
      `INSERT INTO sessions (id, account_id, token, created_at, expires_at, seen_at, address, agent)
       VALUES ${rows.join()}`,
    );
    const { browser, response } = await signIn(email);
    expect(response.status).toBe(200);
    expect((await browser.send('GET /keys')).status).toBe(200);
  });

  it('respond only to pages that show their account', async () => {
    const { browser, email } = await signUpAndIn(service());
    expect((await browser.send('POST /token', {}, { 'x-signed-in-as': email })).status).toBe(200);
  });

  it('can be read by another account’s page, but without the first key', async () => {
    const member = await signUpAndIn(service());
    const response = await member.browser.send('GET /session');
    expect(response.json()).toMatchObject({ email: member.email, firstKey: null });
    expect(await statusOf(service(), (await firstKey(member)).key)).toBe(200);
  });

  it('end at sign-out, on the server and in the browser, along with their key', async () => {
    const member = await signUpAndIn(service());
    const { key } = await tokenOf(member);
    const stolen = new Map(member.browser.cookies);
    expect(await statusOf(service(), key)).toBe(200);

    const response = await member.browser.send('POST /sign-out');
    expect(response.status).toBe(204);
    expect(member.browser.cookies.has(COOKIE)).toBe(false);
    const thief = openBrowser(service());
    for (const [name, value] of stolen) thief.cookies.set(name, value);
    expect(codeOf(await thief.send('GET /session'))).toBe('401 not_signed_in');
    expect(await statusOf(service(), key)).toBe(401);
  });

  it('end when the operator sets a new password', async () => {
    await using real = await startService(engine);
    const { email, browser } = await signUpAndIn(real);
    const reset = (address: string) =>
      runCommand(['accounts', 'reset-password', address, ...real.database.flags]);
    expect(await reset(`not-${email}`)).toMatchObject({ code: 5, stdout: '' });
    expect((await browser.send('GET /session')).status).toBe(200);
    const { code, stdout } = await reset(email.toUpperCase());
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^[\w-]{24}\n$/)]);
    expect(codeOf(await browser.send('GET /session'))).toBe('401 not_signed_in');
    const signIn = (password: string) => browser.send('POST /sign-in', { email, password });
    expect((await signIn(PASSWORD)).status).toBe(401);
    expect((await signIn(stdout.trim())).status).toBe(200);
    const { data } = (await browser.send('GET /events')).json<{
      data: { what: string; address: string }[];
    }>();
    expect(data).toContainEqual(expect.objectContaining({ what: 'password_reset', address: 'command line' }));
  });

  it('can be signed out of twice', async () => {
    const { browser } = await signUpAndIn(service());
    const [[name, value] = ['', '']] = browser.cookies;
    await browser.send('POST /sign-out');
    browser.cookies.set(name, value);
    expect((await browser.send('POST /sign-out')).status).toBe(204);
    expect((await openBrowser(service()).send('POST /sign-out')).status).toBe(204);
  });

  it('end everywhere on request, without affecting other accounts', async () => {
    const member = await signUpAndIn(service());
    const otherAccount = await signUpAndIn(service());
    const { browser: other } = await signIn(member.email);
    const keys = [await tokenOf(member), await tokenOf({ email: member.email, browser: other })];

    expect((await member.browser.send('POST /sign-out-everywhere')).status).toBe(204);
    expect(codeOf(await other.send('GET /session'))).toBe('401 not_signed_in');
    expect((await member.browser.send('GET /session')).status).toBe(204);
    for (const { key } of keys) expect(await statusOf(service(), key)).toBe(401);
    expect((await otherAccount.browser.send('GET /session')).status).toBe(200);
  });

  it('survive a password change in the browser that made it; all others end', async () => {
    const member = await signUpAndIn(service());
    const { browser: other } = await signIn(member.email);
    const { key } = await tokenOf({ email: member.email, browser: other });
    const change = { currentPassword: PASSWORD, newPassword: 'marble-77-lantern' };

    expect((await member.browser.send('POST /change-password', change)).status).toBe(204);
    expect((await member.browser.send('GET /session')).status).toBe(200);
    expect(codeOf(await other.send('GET /session'))).toBe('401 not_signed_in');
    expect(await statusOf(service(), key)).toBe(401);
    expect((await signIn(member.email)).response.status).toBe(401);
    expect((await signIn(member.email, 'marble-77-lantern')).response.status).toBe(200);
  });

  it('are renewed by a password change: a cookie stolen before it is useless', async () => {
    const member = await signUpAndIn(service());
    const { key } = await tokenOf(member);
    const thief = openBrowser(service());
    thief.cookies.set(COOKIE, member.browser.cookies.get(COOKIE) ?? '');
    const change = { currentPassword: PASSWORD, newPassword: 'marble-77-lantern' };
    expect((await member.browser.send('POST /change-password', change)).status).toBe(204);
    expect(codeOf(await thief.send('GET /session'))).toBe('401 not_signed_in');
    expect(await statusOf(service(), key)).toBe(401);
    expect((await member.browser.send('GET /session')).status).toBe(200);
  });

  it('end after thirty days, however much they are used', async () => {
    const { browser } = await signUpAndIn(service());
    try {
      for (const days of [6, 12, 18, 24, 29]) {
        ahead = days * DAY;
        expect([days, (await browser.send('GET /session')).status]).toEqual([days, 200]);
      }
      ahead = 30 * DAY + 60_000;
      expect(codeOf(await browser.send('GET /session'))).toBe('401 not_signed_in');
    } finally {
      ahead = 0;
    }
  });

  it('are listed only for their owner, and ended one by one', async () => {
    const member = await signUpAndIn(service());
    const otherAccount = await signUpAndIn(service());
    const { browser: other } = await signIn(member.email);
    await other.send('GET /keys', undefined, { 'user-agent': `Lynx/${'9'.repeat(1000)}` });
    const { key } = await tokenOf({ email: member.email, browser: other });
    const list = async ({ browser }: typeof member) =>
      (await browser.send('GET /sessions')).json<{ data: Array<Record<string, unknown>> }>().data;
    const listed = await list(member);
    expect(listed).toHaveLength(2);
    for (const session of listed) {
      expect(session).toEqual({
        id: expect.any(String),
        createdAt: expect.stringMatching(/Z$/),
        lastSeenAt: expect.stringMatching(/Z$/),
        expiresAt: expect.stringMatching(/Z$/),
        address: '127.0.0.1',
        userAgent: expect.any(String),
        current: expect.any(Boolean),
      });
    }
    expect(JSON.stringify(listed)).not.toContain(other.cookies.get(COOKIE));
    const id = listed.find(({ current }) => current === false)?.id;
    expect(codeOf(await otherAccount.browser.send(`DELETE /sessions/${id}`))).toBe('404 not_found');
    expect((await other.send('GET /session')).status).toBe(200);
    expect((await member.browser.send(`DELETE /sessions/${id}`)).status).toBe(204);
    expect(codeOf(await other.send('GET /session'))).toBe('401 not_signed_in');
    expect(await statusOf(service(), key)).toBe(401);
    expect((await list(member)).map(({ current }) => current)).toEqual([true]);
    expect(codeOf(await member.browser.send(`DELETE /sessions/${id}`))).toBe('404 not_found');
  });

  it('show their last use, to five minutes', async () => {
    const { browser } = await signUpAndIn(service());
    const seen = async () => {
      const { data } = (await browser.send('GET /sessions')).json<{ data: Array<{ lastSeenAt: string }> }>();
      return Date.parse(data[0]?.lastSeenAt ?? '');
    };
    const first = await seen();
    try {
      ahead = 4 * 60_000;
      expect(await seen()).toBe(first);
      ahead = 6 * 60_000;
      expect(await seen()).toBe(first + 6 * 60_000);
    } finally {
      ahead = 0;
    }
  });

  it('work even if their use cannot be recorded', async () => {
    let later = 0;
    await using stuck = await startService(engine, { accounts: fastAccounts, now: () => begun + later });
    const { browser } = await signUpAndIn(stuck);
    await stuck.database.exec(
      engine.name === 'sqlite'
        ? "CREATE TRIGGER full BEFORE UPDATE ON sessions BEGIN SELECT RAISE(ABORT, 'full'); END"
        : 'ALTER TABLE sessions ADD CONSTRAINT full_disk CHECK (false) NOT VALID',
    );
    later = 6 * 60_000;
    expect((await browser.send('GET /sessions')).status).toBe(200);
    later = 2 * DAY;
    expect((await browser.send('GET /sessions')).status).toBe(200);
  });

  it.each(['startSession first', 'changePassword first'])(
    'cannot be started with the old password while it changes: %s',
    async (order) => {
      await using replica = await startService(engine, {
        accounts: fastAccounts,
        database: service().database,
      });
      const here = service().deployment.writer;
      for (const there of [here, replica.deployment.writer]) {
        const { email } = await signUpAndIn(service());
        const [row] = await service().database.rows(
          `SELECT accounts.id, sessions.id AS session, password FROM accounts
         JOIN credentials ON credentials.account_id = accounts.id
         JOIN sessions ON sessions.account_id = accounts.id WHERE email = '${email}'`,
        );
        const [accountId, sessionId, currentHash] = [row?.id, row?.session, row?.password].map(String) as [
          string,
          string,
          string,
        ];
        const visit = { address: '', attempts: { reset: [], undo: [] } };
        const started = {
          ...visit,
          accountId,
          agent: '',
          passwordHash: currentHash,
          replaces: null,
          created_at: 0n,
          seen_at: 0n,
          expires_at: 2n ** 62n,
        };
        const start = () => here.apply(startSession, { id: `${sessionId}x`, token: email, ...started });
        const change = () =>
          there.apply(changePassword, {
            ...visit,
            at: 0n,
            accountId,
            currentHash,
            newHash: 'x',
            sessionId,
            token: `new ${email}`,
          });
        const changes = order === 'startSession first' ? [start, change] : [change, start];
        await Promise.allSettled(changes.map((apply) => apply()));
        expect(
          await service().database.rows(`SELECT id FROM sessions WHERE account_id = '${accountId}'`),
        ).toEqual([{ id: sessionId }]);
      }
    },
  );

  it('cannot change the password without the current one, or to a weak one', async () => {
    const { email, browser } = await signUpAndIn(service());
    const wrong = { currentPassword: 'not-the-password-1', newPassword: 'marble-77-lantern' };
    expect(codeOf(await browser.send('POST /change-password', wrong))).toBe('401 invalid_credentials');
    const weak = { currentPassword: PASSWORD, newPassword: 'Password123!' };
    const rejected = await browser.send('POST /change-password', weak);
    expect(codeOf(rejected)).toBe('400 weak_password');
    expect(rejected.text).toContain('common words');
    const same = { currentPassword: PASSWORD, newPassword: PASSWORD };
    expect(codeOf(await browser.send('POST /change-password', same))).toBe('400 same_password');
    expect(codeOf(await browser.send('POST /change-password', {}))).toBe('400 invalid_body');
    expect((await signIn(email)).response.status).toBe(200);
  });

  it('last seven days, and seven more from each day of use', async () => {
    const { browser } = await signUpAndIn(service());
    try {
      ahead = 6 * DAY;
      const renewed = await browser.send('GET /session');
      expect(renewed.headers['set-cookie']?.[0]).toContain('Max-Age=604800');
      ahead = 6 * DAY + 60_000;
      expect((await browser.send('GET /session')).headers['set-cookie']).toBeUndefined();
      ahead = 12 * DAY;
      expect((await browser.send('GET /session')).status).toBe(200);
      ahead = 19 * DAY + 60_000;
      expect(codeOf(await browser.send('GET /session'))).toBe('401 not_signed_in');
    } finally {
      ahead = 0;
    }
  });

  it('create keys for fifteen minutes, which are not in the list of keys', async () => {
    const member = await signUpAndIn(service());
    const { key, expiresAt } = await tokenOf(member);
    expect(Date.parse(expiresAt)).toBe(begun + 15 * 60_000);
    expect((await service().request('GET /v2/store/orders/1', { key })).status).toBe(200);
    expect((await member.browser.send('GET /keys')).json()).toEqual({ data: [], nextCursor: null });
    try {
      ahead = 15 * 60_000 - 1;
      expect(await statusOf(service(), key)).toBe(200);
      ahead = 15 * 60_000;
      expect(await statusOf(service(), key)).toBe(401);
    } finally {
      ahead = 0;
    }
  });

  it('still get the first key after creating a session key', async () => {
    const member = await signUpAndIn(service());
    await tokenOf(member);
    const { firstKey } = (await member.browser.send('POST /session')).json<{ firstKey: object | null }>();
    expect(firstKey).not.toBeNull();
  });

  it('are readable throughout a store reset', async () => {
    await using staging = await startService(engine, { deployment: 'staging', accounts: fastAccounts });
    const member = await signUpAndIn(staging);
    const { key } = await firstKey(member);
    const headers = { 'content-type': 'application/json' };
    const shown: number[] = [];
    const reset = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) {
        const sent = { key, headers, body: '{"dataSet":"empty"}' };
        expect((await staging.request('POST /v2/sandbox/reset', sent)).status).toBe(200);
      }
    };
    const resets = reset(everyCase ? 40 : 12).then(() => 'done');
    while ((await Promise.race([resets, null])) === null)
      shown.push((await member.browser.send('GET /session')).status);
    expect([...new Set(shown)]).toEqual([200]);
  });

  it.each(['POST /session', 'POST /token'])('survive %s during a reset', async (call) => {
    let meanwhile = async () => {};
    const wrap = <Db extends Connection>(db: Db): Db => ({
      ...db,
      async all(query, params) {
        const rows = await db.all(query, params);
        if ('token' in (params as object)) await meanwhile();
        return rows;
      },
    });
    await using staging = await startService(engine, { deployment: 'staging', accounts: fastAccounts, wrap });
    const member = await signUpAndIn(staging);
    const { key } = await tokenOf(member);
    const headers = { 'content-type': 'application/json' };
    meanwhile = async () => {
      await staging.request('POST /v2/sandbox/reset', { key, headers, body: '{"dataSet":"empty"}' });
    };
    expect(codeOf(await member.browser.send(call))).toBe('503 unavailable');
    meanwhile = async () => {};
    expect((await member.browser.send(call)).status).toBe(200);
  });

  it('of an account that an older version left without a store start at the next sign-in, which opens one', async () => {
    const { email, browser } = await signUpAndIn(service());
    await service().database.exec(
      `UPDATE stores SET owner = NULL WHERE owner = (SELECT id FROM accounts WHERE email = '${email}')`,
    );
    expect(codeOf(await browser.send('GET /session'))).toBe('401 not_signed_in');
    await browser.send('POST /sign-in', { email, password: PASSWORD });
    const { firstKey } = (await browser.send('POST /session')).json<{ firstKey: { key: string } | null }>();
    expect(await statusOf(service(), firstKey?.key ?? '')).toBe(200);
  });

  it('are new at every sign-in, and the browser’s previous one ends', async () => {
    const { email, browser } = await signUpAndIn(service());
    const before = browser.cookies.get(COOKIE) ?? '';
    await browser.send('POST /sign-in', { email, password: PASSWORD });
    expect(browser.cookies.get(COOKIE)).not.toBe(before);
    const old = openBrowser(service());
    old.cookies.set(COOKIE, before);
    expect(codeOf(await old.send('GET /session'))).toBe('401 not_signed_in');
  });

  it('cannot be planted in a browser before it signs in', async () => {
    const { email } = await signUpAndIn(service());
    const planted = 'A'.repeat(43);
    const victim = openBrowser(service());
    victim.cookies.set(COOKIE, planted);
    await victim.send('POST /sign-in', { email, password: PASSWORD });
    expect(victim.cookies.get(COOKIE)).not.toBe(planted);
    const attacker = openBrowser(service());
    attacker.cookies.set(COOKIE, planted);
    expect(codeOf(await attacker.send('GET /session'))).toBe('401 not_signed_in');
  });

  it('cannot be guessed from the database', async () => {
    const { browser } = await signUpAndIn(service());
    const rows = await service().database.rows('SELECT id, token FROM sessions');
    const held = rows.flatMap(({ id, token }) => [String(id), String(token)]);
    expect(held).not.toContain(browser.cookies.get(COOKIE));
    const thief = openBrowser(service());
    for (const value of held) {
      thief.cookies.set(COOKIE, value);
      expect(codeOf(await thief.send('GET /session'))).toBe('401 not_signed_in');
    }
  });

  // The following does not depend on the database.
  if (!anyEngine.includes(engine)) return;

  it.each(calls)('%s needs one', async (call) => {
    expect(codeOf(await openBrowser(service()).send(call))).toBe('401 not_signed_in');
  });

  it('are absent, without an error, in a browser that is not signed in', async () => {
    expect((await openBrowser(service()).send('GET /session')).status).toBe(204);
  });

  it.each(calls)('%s is rejected for a page that shows another account', async (call) => {
    const { browser } = await signUpAndIn(service());
    const shown = { 'x-signed-in-as': 'somebody.else@example.com' };
    expect(codeOf(await browser.send(call, {}, shown))).toBe('401 not_signed_in');
    expect((await browser.send('GET /keys')).status).toBe(200);
  });

  it.each(['a', '%00', "' OR 1=1 --", '__proto__', 'é'.repeat(20), 'x'.repeat(8000)])(
    'are not opened by %j',
    async (guess) => {
      const browser = openBrowser(service());
      const cookie = Buffer.from(`${COOKIE}=${guess}`).toString('latin1');
      expect(codeOf(await browser.send('GET /session', undefined, { cookie }))).toBe('401 not_signed_in');
    },
  );
});
