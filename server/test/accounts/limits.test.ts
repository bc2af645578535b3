import { describe, expect, it } from 'vitest';
import { pruneExpired } from '../../src/stores/prune-expired.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { runJob } from '../support/jobs.ts';
import { startService, useService } from '../support/service.ts';
import { codeOf, fastAccounts, newAddress, openBrowser, PASSWORD, signUpAndIn } from './browser.ts';

const limits = { perAddress: 12, perAccount: 4 };
const times = (count: number) => Array.from({ length: count }, (_, index) => index);

describe.each(engines)('attempts on $name', (engine) => {
  // A stopped clock, so that all attempts are in the same minute.
  const begun = Date.now();

  let ahead = 0;

  const now = () => begun + ahead;

  const options = { accounts: { ...fastAccounts, limits }, now, trustProxy: true };

  const service = useService(engine, options);

  let visitors = 0;

  /** Each test uses a different address. */
  const from = () => ({ 'x-forwarded-for': `203.0.113.${++visitors}` });

  it.each(['POST /sign-in', 'POST /sign-up'])('by %s for one account are limited', async (call) => {
    const email = newAddress();
    const attempt = (headers: Record<string, string>) =>
      openBrowser(service()).send(call, { email, password: PASSWORD }, headers);
    for (const _ of times(4)) expect((await attempt(from())).status).not.toBe(429);
    const rejected = await attempt(from());
    expect(codeOf(rejected)).toBe('429 rate_limited');
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(rejected.headers['retry-after'])).toBeLessThanOrEqual(60);
    try {
      ahead += 61_000;
      expect((await attempt(from())).status).not.toBe(429);
    } finally {
      ahead = 0;
    }
  });

  it('are limited to the same number when concurrent', async () => {
    const email = newAddress();
    const responses = await Promise.all(
      times(20).map(() =>
        openBrowser(service()).send('POST /sign-in', { email, password: PASSWORD }, from()),
      ),
    );
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(4);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(16);
  });

  it('are counted across all replicas', async () => {
    await using replica = await startService(engine, { ...options, database: service().database });
    const email = newAddress();
    const statuses: number[] = [];
    for (const created of times(6)) {
      const browser = openBrowser(created % 2 === 0 ? service() : replica);
      statuses.push((await browser.send('POST /sign-in', { email, password: PASSWORD }, from())).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
  });

  it('with a stolen session are limited, too', async () => {
    const { browser } = await signUpAndIn(service());
    const guess = { currentPassword: 'not-the-password-1', newPassword: 'marble-77-lantern' };
    const codes: string[] = [];
    for (const _ of times(4)) codes.push(codeOf(await browser.send('POST /change-password', guess, from())));
    codes.push(codeOf(await browser.send('DELETE /account', { password: 'not-the-password-1' }, from())));
    expect(codes).toEqual([...Array(4).fill('401 invalid_credentials'), '429 rate_limited']);
  });

  it('by others never lock out a user with a session or a known browser', async () => {
    const { email, browser } = await signUpAndIn(service());
    const guess = (address: Record<string, string>) =>
      openBrowser(service()).send('POST /sign-in', { email, password: 'not-the-password-1' }, address);
    const [near, ...far] = times(8).map(from);
    for (const address of [near, ...far]) await guess(address as Record<string, string>);
    expect((await guess(from())).status).toBe(429);

    const change = { currentPassword: PASSWORD, newPassword: 'marble-77-lantern' };
    expect((await browser.send('POST /change-password', change, near)).status).toBe(204);
    await browser.send('POST /sign-out');
    const credentials = { email, password: change.newPassword };
    expect((await openBrowser(service()).send('POST /sign-in', credentials, from())).status).toBe(429);
    expect((await browser.send('POST /sign-in', credentials, near)).status).toBe(200);
  });

  it('from a known browser have their own limit, for that account only', async () => {
    const [one, other] = [await signUpAndIn(service()), await signUpAndIn(service())];
    const guess = (email: string) =>
      one.browser.send('POST /sign-in', { email, password: 'not-the-password-1' }, from());
    const codes: string[] = [];
    for (const _ of times(5)) codes.push(codeOf(await guess(one.email)));
    expect(codes).toEqual([...Array(4).fill('401 invalid_credentials'), '429 rate_limited']);
    // To another account, this browser is a stranger.
    for (const _ of times(4))
      await openBrowser(service()).send('POST /sign-in', { email: other.email, password: 'x' }, from());
    expect((await guess(other.email)).status).toBe(429);
  });

  it('with a forged browser token count as unknown', async () => {
    const { email, browser } = await signUpAndIn(service());
    const [[name, mark] = ['', '']] = [...browser.cookies].filter(([cookie]) => cookie.endsWith('_device'));
    for (const _ of times(4))
      await openBrowser(service()).send('POST /sign-in', { email, password: 'x' }, from());
    for (const forged of [`x${mark}`, `${mark}x`, 'x.y', '.', mark.split('.')[0] ?? '']) {
      const visitor = openBrowser(service());
      visitor.cookies.set(name, forged);
      expect((await visitor.send('POST /sign-in', { email, password: PASSWORD }, from())).status).toBe(429);
    }
  });

  it('reset their address’s count if successful, and do not count against the account', async () => {
    const { email } = await signUpAndIn(service());
    const address = from();
    for (const _ of times(12)) {
      const response = await openBrowser(service()).send(
        'POST /sign-in',
        { email, password: PASSWORD },
        address,
      );
      expect(response.status).toBe(200);
    }
  });

  it('from a known browser are limited by account and address even if successful', async () => {
    await using own = await startService(engine, options);
    const [one, other] = [await signUpAndIn(own), await signUpAndIn(own)];
    const address = from();
    const signIn = ({ browser, email }: typeof one, headers: Record<string, string>) =>
      browser.send('POST /sign-in', { email, password: PASSWORD }, headers);
    for (const _ of times(12)) expect((await signIn(one, address)).status).toBe(200);
    expect(codeOf(await signIn(one, from()))).toBe('429 rate_limited');
    expect(codeOf(await signIn(other, address))).toBe('429 rate_limited');
    expect((await signIn(other, from())).status).toBe(200);
    const change = { currentPassword: PASSWORD, newPassword: 'marble-77-lantern' };
    expect((await one.browser.send('POST /change-password', change, from())).status).toBe(429);
  });

  it('wait longer each time: a day of guessing allows a few dozen', async () => {
    const email = newAddress();
    const guesses: number[] = [];
    try {
      const end = 24 * 3_600_000;
      while (ahead < end) {
        const response = await openBrowser(service()).send('POST /sign-in', { email, password: 'x' }, from());
        if (response.status === 401) guesses.push(ahead);
        else ahead += Number(response.headers['retry-after']) * 1000;
      }
    } finally {
      ahead = 0;
    }
    expect(guesses.slice(0, 9).map((at) => at / 1000)).toEqual([0, 0, 0, 0, 30, 90, 210, 450, 930]);
    expect(guesses.filter((at) => at < 3_600_000).length).toBeLessThan(15);
    expect(guesses.length).toBeLessThan(110);
  });

  it('to open accounts are limited per address and day where configured', async () => {
    await using limited = await startService(engine, { ...options, quotas: { newStores: 3n } });
    const address = from();
    const signUp = (headers: Record<string, string>, password = PASSWORD) =>
      openBrowser(limited).send('POST /sign-up', { email: newAddress(), password }, headers);
    expect(codeOf(await signUp(address, 'Password123!'))).toBe('400 weak_password');
    const responses = await Promise.all(times(5).map(() => signUp(address)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429]);
    expect((await signUp(from())).status).toBe(200);
    try {
      ahead = 23 * 3_600_000;
      const rejected = await signUp(address);
      expect(codeOf(rejected)).toBe('429 rate_limited');
      expect(Number(rejected.headers['retry-after'])).toBe(3600);
      ahead = 24 * 3_600_000 + 1;
      expect((await signUp(address)).status).toBe(200);
    } finally {
      ahead = 0;
    }
  });

  it('are not blocked for days because the clock was ahead for a while', async () => {
    await using own = await startService(engine, { ...options, quotas: { newStores: 1n } });
    const [email, address] = [newAddress(), from()];
    const signIn = () => openBrowser(own).send('POST /sign-in', { email, password: 'x' }, address);
    const signUp = () =>
      openBrowser(own).send('POST /sign-up', { email: newAddress(), password: PASSWORD }, address);
    try {
      ahead = 3 * 24 * 3_600_000;
      for (const _ of times(5)) await signIn();
      expect([(await signIn()).status, (await signUp()).status, (await signUp()).status]).toEqual([
        429, 200, 429,
      ]);
      ahead = 0;
      expect([(await signIn()).status, (await signUp()).status, (await signUp()).status]).toEqual([
        401, 200, 429,
      ]);
    } finally {
      ahead = 0;
    }
  });

  it('with weak passwords count like all others', async () => {
    const email = newAddress();
    const signUp = () =>
      openBrowser(service()).send('POST /sign-up', { email, password: 'Password123!' }, from());
    const codes: string[] = [];
    for (const _ of times(5)) codes.push(codeOf(await signUp()));
    expect(codes).toEqual([...Array(4).fill('400 weak_password'), '429 rate_limited']);
  });

  it('expire after their window', async () => {
    try {
      ahead = 100 * 3_600_000;
      await openBrowser(service()).send('POST /sign-in', { email: newAddress(), password: PASSWORD }, from());
      const { db, writer } = service().deployment;
      await runJob(pruneExpired(db, writer, now));
      const [row] = await service().database.rows('SELECT count(*) AS n FROM attempts');
      // The gate, the address, the visitor and the account.
      expect(row?.n).toBe(4n);
    } finally {
      ahead = 0;
    }
  });

  // The following does not depend on the database.
  if (!anyEngine.includes(engine)) return;

  it('from one address are limited, even if it forges entries before the proxy’s', async () => {
    const address = from()['x-forwarded-for'];
    const attempt = (created: number) =>
      openBrowser(service()).send(
        'POST /sign-in',
        { email: newAddress(), password: PASSWORD },
        { 'x-forwarded-for': `198.51.100.${created}, ${address}` },
      );
    for (const created of times(12)) expect((await attempt(created)).status).toBe(401);
    expect(codeOf(await attempt(13))).toBe('429 rate_limited');
  });

  it('from one IPv6 network count as one visitor’s', async () => {
    const attempt = (created: number) =>
      openBrowser(service()).send(
        'POST /sign-in',
        { email: newAddress(), password: PASSWORD },
        { 'x-forwarded-for': `2001:db8:7:1::${created.toString(16)}` },
      );
    for (const created of times(12)) expect((await attempt(created)).status).toBe(401);
    expect((await attempt(13)).status).toBe(429);
  });

  it('are counted by connection without a trusted proxy', async () => {
    await using direct = await startService(engine, {
      accounts: { ...fastAccounts, limits: { perAddress: 2, perAccount: 4 } },
      now,
    });
    const attempt = () =>
      openBrowser(direct).send('POST /sign-in', { email: newAddress(), password: PASSWORD }, from());
    expect([(await attempt()).status, (await attempt()).status, (await attempt()).status]).toEqual([
      401, 401, 429,
    ]);
  });
});
