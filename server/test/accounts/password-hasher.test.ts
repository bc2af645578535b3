import { describe, expect, it } from 'vitest';
import { hashLimits, type PasswordHasher, scryptHasher } from '../../src/accounts/passwords.ts';
import { passwordLimits } from '../../src/domain/password-limits.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { codeOf, fastAccounts, newAddress, openBrowser, PASSWORD, signUpAndIn } from './browser.ts';

/** Created by Better Auth 1.7.5 from PASSWORD. */
const EARLIER_HASH =
  'a7a0ac4575a190885b3bb68c02cfe691:4601befd1382c667a8e8b345e1424ca59c307667af2861d66caa07356f97a60d6b51068c6bc1a28d60560876d3a2b89b46d721c6e720b331811345580057aa05';
/** Also created by it, from a text that NFKC changes. */
const LIGATURES = 'ﬁne-Ångström-84-quarry';
const EARLIER_HASH_OF_LIGATURES =
  '25bd8800f6e1439e57be499b7349647e:df9e3b9163252b3a1f7c66e5f01710cf4283c5fd587ba8122233bb358031d76f1ca84ec6532202cfa2d7f45caffca9559c5a210f343e31e5a87116708933004f';

describe('the hash of a password', () => {
  it('depends on exactly the password and its salt', async () => {
    const hash = await scryptHasher.hash(PASSWORD);
    expect(hash).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
    expect(hash).not.toBe(await scryptHasher.hash(PASSWORD));
    expect(await scryptHasher.verify({ hash, password: PASSWORD })).toBe(true);
    expect(await scryptHasher.verify({ hash, password: `${PASSWORD}x` })).toBe(false);
  });

  it.each([LIGATURES, LIGATURES.normalize('NFKC'), LIGATURES.normalize('NFD')])(
    'is the same for every Unicode form of %j',
    async (password) => {
      expect(await scryptHasher.verify({ hash: EARLIER_HASH_OF_LIGATURES, password })).toBe(true);
    },
  );

  it.each(['', ':', 'no hash', `${EARLIER_HASH}00`, EARLIER_HASH.slice(0, -2), EARLIER_HASH.slice(0, 33)])(
    'is invalid when it is %j',
    async (hash) => {
      expect(await scryptHasher.verify({ hash, password: PASSWORD })).toBe(false);
    },
  );
});

describe.each(engines)('hashes on $name', (engine) => {
  const generous = { perAddress: 100_000, perAccount: 1000 };
  const service = useService(engine, { accounts: { limits: generous } });

  it('in older formats still verify, and others do not', async () => {
    const { email } = await signUpAndIn(service());
    await service().database.exec(`UPDATE credentials SET password = '${EARLIER_HASH}'`);
    const signIn = (password: string) => openBrowser(service()).send('POST /sign-in', { email, password });
    expect((await signIn(PASSWORD)).status).toBe(200);
    expect(codeOf(await signIn('not-the-password-1'))).toBe('401 invalid_credentials');
  });
});

describe.each(anyEngine)('hashing on $name', (engine) => {
  let running = 0;
  let most = 0;
  let begun = 0;
  const order: string[] = [];
  const blocked: Array<() => void> = [];
  let isBlocking = false;
  /** A hasher that blocks until released. */
  const blockingHasher = (): PasswordHasher => {
    const hasher = fastAccounts.wrapHasher();
    const runBlocked = async <T>(password: string, work: () => Promise<T>): Promise<T> => {
      begun++;
      order.push(password);
      most = Math.max(most, ++running);
      if (isBlocking) await new Promise<void>((release) => blocked.push(release));
      running--;
      return work();
    };
    return {
      hash: (password) => runBlocked(password, () => hasher.hash(password)),
      verify: (given) => runBlocked(given.password, () => hasher.verify(given)),
    };
  };
  const accounts = { limits: fastAccounts.limits, wrapHasher: blockingHasher };
  const service = useService(engine, { accounts, trustProxy: true });
  const release = (count: number) => {
    for (const go of blocked.splice(0, count)) go();
  };

  it('is skipped for a password that is too long, even if its characters are few', async () => {
    const { email, browser } = await signUpAndIn(service());
    const { maxSentLength } = passwordLimits;
    const signUp = (password: string) => browser.send('POST /sign-up', { email, password });
    const change = (newPassword: string) =>
      browser.send('POST /change-password', { currentPassword: PASSWORD, newPassword });
    begun = 0;
    for (const send of [signUp, change]) {
      // Eighteen letters each.
      expect(codeOf(await send(`${PASSWORD}${'ﷺ'.repeat(100)}`))).toBe('400 weak_password');
      expect(codeOf(await send('ﷺ'.repeat(maxSentLength)))).toBe('400 weak_password');
      const rejected = await send('ﷺ'.repeat(maxSentLength + 1));
      expect(codeOf(rejected)).toBe('400 invalid_body');
      expect(rejected.text).toContain(`a string of 1 to ${maxSentLength} characters`);
    }
    expect(begun).toBe(0);
  });

  it('runs two at a time in order of arrival; a request that would wait too long is rejected at once', async () => {
    const member = await signUpAndIn(service());
    const { running: atOnce, waiting } = hashLimits;
    expect(atOnce).toBe(2);
    [begun, most, isBlocking] = [0, 0, true];
    const statuses: number[] = [];
    const attempts = Array.from({ length: atOnce + waiting + 4 }, async (_, index) => {
      // Of known and unknown addresses alike.
      const email = index % 2 === 0 ? member.email : newAddress();
      const response = await openBrowser(service()).send('POST /sign-in', { email, password: PASSWORD });
      statuses.push(response.status);
      return response;
    });
    await expect.poll(() => statuses.length).toBe(4);
    expect(statuses).toEqual([503, 503, 503, 503]);
    expect(begun).toBe(2);
    // Requests that need no hash are served meanwhile.
    expect((await member.browser.send('GET /session')).status).toBe(200);

    isBlocking = false;
    release(blocked.length);
    const responses = await Promise.all(attempts);
    const rejected = responses.filter(({ status }) => status === 503);
    expect(rejected.map(codeOf)).toEqual(Array(4).fill('503 unavailable'));
    expect(rejected.map(({ headers }) => headers['retry-after'])).toEqual(Array(4).fill('1'));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 401, 503]));
    expect(begun).toBe(atOnce + waiting);
    expect(most).toBe(2);
  });

  it('is fair across addresses: the one with the most requests is rejected', async () => {
    const { running: atOnce, waiting } = hashLimits;
    [begun, isBlocking] = [0, true];
    order.length = 0;
    const signIn = (password: string, address: string) =>
      openBrowser(service()).send(
        'POST /sign-in',
        { email: newAddress(), password },
        { 'x-forwarded-for': address },
      );
    const statuses: number[] = [];
    const many = Array.from({ length: atOnce + waiting + 1 }, async () => {
      const { status } = await signIn('one of many', '203.0.113.1');
      statuses.push(status);
    });
    await expect.poll(() => statuses).toEqual([503]);
    const single = signIn('a single one', '203.0.113.2');
    await expect.poll(() => statuses).toEqual([503, 503]);
    expect(order).toEqual(['one of many', 'one of many']);
    release(1);
    await expect.poll(() => begun).toBe(3);
    release(1);
    await expect.poll(() => begun).toBe(4);
    expect(order.slice(2)).toEqual(['one of many', 'a single one']);

    isBlocking = false;
    release(blocked.length);
    expect((await single).status).toBe(401);
    await Promise.all(many);
    expect(begun).toBe(atOnce + waiting);
  });
});
