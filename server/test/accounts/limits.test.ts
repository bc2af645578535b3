import { describe, expect, it } from 'vitest';
import { engines } from '../support/engines.ts';
import { startService, useService } from '../support/service.ts';
import { codeOf, join, newAddress, openBrowser, PASSWORD, quickly } from './browser.ts';

const limits = { perAddress: 12, perAccount: 4 };
const times = (count: number) => Array.from({ length: count }, (_, index) => index);

describe.each(engines)('attempts on $name', (engine) => {
  // A clock that stands still: however long the attempts take, they are made in the same minute.
  const begun = Date.now();
  let ahead = 0;
  const now = () => begun + ahead;
  const options = { accounts: { ...quickly, limits }, now, trustProxy: true };
  const service = useService(engine, options);
  let visitors = 0;
  /** Each test comes from an address of its own. */
  const from = () => ({ 'x-forwarded-for': `203.0.113.${++visitors}` });

  it.each(['POST /sign-in', 'POST /sign-up'])('by %s for one account are limited', async (call) => {
    const email = newAddress();
    const attempt = (headers: Record<string, string>) =>
      openBrowser(service()).send(call, { email, password: PASSWORD }, headers);
    for (const _ of times(4)) expect((await attempt(from())).status).not.toBe(429);
    const refused = await attempt(from());
    expect(codeOf(refused)).toBe('429 rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    try {
      ahead += 61_000;
      expect((await attempt(from())).status).not.toBe(429);
    } finally {
      ahead = 0;
    }
  });

  it('from one address are limited, whatever it says before what the proxy saw', async () => {
    const address = from()['x-forwarded-for'];
    const attempt = (made: number) =>
      openBrowser(service()).send(
        'POST /sign-in',
        { email: newAddress(), password: PASSWORD },
        { 'x-forwarded-for': `198.51.100.${made}, ${address}` },
      );
    for (const made of times(12)) expect((await attempt(made)).status).toBe(401);
    expect(codeOf(await attempt(13))).toBe('429 rate_limited');
  });

  it('from one IPv6 network are one visitor’s', async () => {
    const attempt = (made: number) =>
      openBrowser(service()).send(
        'POST /sign-in',
        { email: newAddress(), password: PASSWORD },
        { 'x-forwarded-for': `2001:db8:7:1::${made.toString(16)}` },
      );
    for (const made of times(12)) expect((await attempt(made)).status).toBe(401);
    expect((await attempt(13)).status).toBe(429);
  });

  it('are limited to the same number when they are made at once', async () => {
    const email = newAddress();
    const answers = await Promise.all(
      times(20).map(() =>
        openBrowser(service()).send('POST /sign-in', { email, password: PASSWORD }, from()),
      ),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(4);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(16);
  });

  it('are counted by all replicas together', async () => {
    await using replica = await startService(engine, { ...options, beside: service().database });
    const email = newAddress();
    const statuses: number[] = [];
    for (const made of times(6)) {
      const browser = openBrowser(made % 2 === 0 ? service() : replica);
      statuses.push((await browser.send('POST /sign-in', { email, password: PASSWORD }, from())).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
  });

  it('with a stolen session are limited, too', async () => {
    const { browser } = await join(service());
    const guess = { currentPassword: 'not-the-password-1', newPassword: 'marble-77-lantern' };
    const codes: string[] = [];
    for (const _ of times(4)) codes.push(codeOf(await browser.send('POST /change-password', guess, from())));
    codes.push(codeOf(await browser.send('DELETE /account', { password: 'not-the-password-1' }, from())));
    // The sign-in itself was the first.
    expect(codes).toEqual([
      ...Array(3).fill('401 invalid_credentials'),
      ...Array(2).fill('429 rate_limited'),
    ]);
  });

  it('with weak passwords are counted like all others', async () => {
    const email = newAddress();
    const signUp = () =>
      openBrowser(service()).send('POST /sign-up', { email, password: 'Password123!' }, from());
    const codes: string[] = [];
    for (const _ of times(5)) codes.push(codeOf(await signUp()));
    expect(codes).toEqual([...Array(4).fill('400 weak_password'), '429 rate_limited']);
  });

  it('are forgotten when their minute is over', async () => {
    try {
      ahead = 10 * 60_000;
      await openBrowser(service()).send('POST /sign-in', { email: newAddress(), password: PASSWORD }, from());
      const [row] = await service().database.rows('SELECT count(*) AS n FROM attempts');
      expect(row?.n).toBe(3n);
    } finally {
      ahead = 0;
    }
  });

  it('by someone who does not trust a proxy are counted by the connection', async () => {
    await using direct = await startService(engine, {
      accounts: { ...quickly, limits: { perAddress: 2, perAccount: 4 } },
      now,
    });
    const attempt = () =>
      openBrowser(direct).send('POST /sign-in', { email: newAddress(), password: PASSWORD }, from());
    expect([(await attempt()).status, (await attempt()).status, (await attempt()).status]).toEqual([
      401, 401, 429,
    ]);
  });
});
