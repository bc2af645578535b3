import { describe, expect, it } from 'vitest';
import type { PasswordHasher } from '../../src/accounts/passwords.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { essence } from '../support/http.ts';
import { useService } from '../support/service.ts';
import {
  codeOf,
  fastAccounts,
  firstKey,
  listKeys,
  newAddress,
  openBrowser,
  PASSWORD,
  type SessionView,
  signUpAndIn,
  statusOf,
} from './browser.ts';

const generous = { perAddress: 100_000, perAccount: 1000 };

describe.each(engines)('signing up and in on $name', (engine) => {
  let hashed = 0;

  const counting = (hasher: PasswordHasher): PasswordHasher => ({
    hash: (password) => {
      hashed++;
      return hasher.hash(password);
    },
    verify: (given) => {
      hashed++;
      return hasher.verify(given);
    },
  });

  const wrapHasher = () => counting(fastAccounts.wrapHasher());

  const service = useService(engine, { accounts: { limits: generous, wrapHasher } });

  async function workOf(work: () => Promise<unknown>): Promise<number> {
    const before = hashed;
    await work();
    return hashed - before;
  }

  it('opens an account whose first POST /session returns a working key, and later ones none', async () => {
    const member = await signUpAndIn(service());
    const read = await member.browser.send('GET /session');
    expect(read.json<SessionView>().firstKey).toBeNull();
    expect(await listKeys(member)).toEqual([]);
    const first = await member.browser.send('POST /session');
    const seen = first.json<SessionView>();
    expect(first.status).toBe(200);
    expect(seen).toEqual({
      email: member.email,
      // It is an account's, not a key's.
      key: null,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      deployment: 'production',
      deployments: [{ name: 'production', origin: 'http://127.0.0.1', apiBase: 'http://127.0.0.1/v1' }],
      firstKey: {
        id: expect.stringMatching(/^key_/),
        name: 'first key',
        key: expect.stringMatching(/^pst_live_/),
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        scope: 'full',
        expiresAt: null,
        lastFour: seen.firstKey?.key.slice(-4),
      },
    });
    expect(await statusOf(service(), seen.firstKey?.key ?? '')).toBe(200);
    const second = await member.browser.send('POST /session');
    expect(second.json<SessionView>().firstKey).toBeNull();
  });

  it('gives the first key to only one of many concurrent readers', async () => {
    const { browser } = await signUpAndIn(service());
    const responses = await Promise.all(Array.from({ length: 10 }, () => browser.send('POST /session')));
    const keys = responses
      .map((response) => response.json<SessionView>().firstKey)
      .filter((key) => key !== null);
    expect(keys).toHaveLength(1);
    expect((await browser.send('GET /keys')).json<{ data: unknown[] }>().data).toHaveLength(1);
  });

  it('opens a store of its own for each account, with the demonstration data', async () => {
    const [one, two] = [
      await firstKey(await signUpAndIn(service())),
      await firstKey(await signUpAndIn(service())),
    ];
    await service().request('DELETE /v1/store/orders/2', { key: one.key });
    expect((await service().request('GET /v2/store/orders/2', { key: one.key })).text).toContain('cancelled');
    expect((await service().request('GET /v2/store/orders/2', { key: two.key })).text).toContain('pending');
  });

  it('accepts an address in any spelling', async () => {
    const email = newAddress();
    const { browser } = await signUpAndIn(service(), email);
    const response = await browser.send('POST /sign-in', {
      email: ` ${email.toUpperCase()} `,
      password: PASSWORD,
    });
    expect(response.status).toBe(200);
    expect(response.json()).toEqual({ email });
  });

  it('responds to a sign-up the same, with the same work, whether or not the account exists', async () => {
    const email = newAddress();
    const browser = openBrowser(service());
    const responses: unknown[] = [];
    const work: number[] = [];
    for (const password of [PASSWORD, PASSWORD, 'quite-another-93-word']) {
      work.push(
        await workOf(async () => {
          responses.push(essence(await browser.send('POST /sign-up', { email, password })));
        }),
      );
    }
    expect(responses[1]).toEqual(responses[0]);
    expect(responses[2]).toEqual(responses[0]);
    expect(responses[0]).toMatchObject({ status: 200, text: '{"status":"accepted"}' });
    expect(work).toEqual([1, 1, 1]);
  });

  it('leaves an account unchanged when its address signs up again', async () => {
    const { email, browser } = await signUpAndIn(service());
    await openBrowser(service()).send('POST /sign-up', { email, password: 'quite-another-93-word' });
    const other = openBrowser(service());
    expect(codeOf(await other.send('POST /sign-in', { email, password: 'quite-another-93-word' }))).toBe(
      '401 invalid_credentials',
    );
    expect((await browser.send('GET /session')).status).toBe(200);
    expect((await other.send('POST /sign-in', { email, password: PASSWORD })).status).toBe(200);
  });

  it('opens one account for many concurrent sign-ups', async () => {
    const email = newAddress();
    const browser = openBrowser(service());
    const passwords = Array.from({ length: 5 }, (_, index) => `${PASSWORD}-${index}`);
    await Promise.all(passwords.map((password) => browser.send('POST /sign-up', { email, password })));
    const responses = await Promise.all(
      passwords.map((password) => browser.send('POST /sign-in', { email, password })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('responds to a wrong password and an unknown address the same, with the same work', async () => {
    const { email } = await signUpAndIn(service());
    const browser = openBrowser(service());
    const responses: unknown[] = [];
    const work: number[] = [];
    for (const address of [email, newAddress(), 'no address at all', 'nul\u0000@example.com']) {
      work.push(
        await workOf(async () => {
          const body = { email: address, password: 'not-the-password-1' };
          responses.push(essence(await browser.send('POST /sign-in', body)));
        }),
      );
    }
    expect(responses[0]).toMatchObject({ status: 401, text: expect.stringContaining('invalid_credentials') });
    expect(responses[1]).toEqual(responses[0]);
    expect(responses[2]).toEqual(responses[0]);
    expect(responses[3]).toEqual(responses[0]);
    expect(work).toEqual([1, 1, 1, 1]);
  });

  // The rest is decided before any query.
  if (!anyEngine.includes(engine)) return;

  it.each([
    'no-at-sign',
    '@example.com',
    'two@@example.com',
    'space in@example.com',
    'nul\u0000@example.com',
    'line\n@example.com',
    'jo@-example.com',
    `${'a'.repeat(250)}@example.com`,
    'jo@exämple.com',
  ])('rejects the address %j', async (email) => {
    const response = await openBrowser(service()).send('POST /sign-up', { email, password: PASSWORD });
    expect(codeOf(response)).toBe('400 invalid_body');
  });

  it.each([
    ['nothing', undefined],
    ['no object', '[]'],
    ['no JSON', '{'],
    ['a number for a password', { email: 'jo@example.com', password: 1234567890 }],
    ['no password', { email: 'jo@example.com' }],
    ['a field too many', { email: 'jo@example.com', password: PASSWORD, role: 'admin' }],
    ['a field twice', '{"email":"jo@example.com","email":"eve@example.com","password":"x"}'],
  ])('rejects a body with %s', async (_, body) => {
    for (const call of ['POST /sign-up', 'POST /sign-in']) {
      const response = await openBrowser(service()).send(call, body);
      expect(codeOf(response)).toBe('400 invalid_body');
    }
  });

  it('rejects a weak password, whether or not the account exists', async () => {
    const { email } = await signUpAndIn(service());
    const browser = openBrowser(service());
    const known = await browser.send('POST /sign-up', { email, password: 'Password123!' });
    const unknown = await browser.send('POST /sign-up', { email: newAddress(), password: 'Password123!' });
    expect(codeOf(known)).toBe('400 weak_password');
    expect(essence(unknown)).toEqual(essence(known));
  });
});
