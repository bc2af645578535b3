import { describe, expect, it } from 'vitest';
import { createKey as addKey, newKey, revokeKey } from '../../src/keys/manage-keys.ts';
import { engines } from '../support/engines.ts';
import { startService, type TestService, type TestStore, useService } from '../support/service.ts';
import { steppingClock } from '../support/stepping-clock.ts';
import {
  type Browser,
  codeOf,
  createKey,
  fastAccounts,
  firstKey,
  openBrowser,
  signUpAndIn,
  statusOf,
} from './browser.ts';

const MINUTE = 60_000;

async function open(service: TestService, key: string, browser = openBrowser(service)): Promise<Browser> {
  const response = await browser.send('POST /open-with-key', { key });
  expect([response.status, response.text]).toEqual([204, '']);
  return browser;
}

async function keyOf(browser: Browser): Promise<{ key: string; expiresAt: string }> {
  const response = await browser.send('POST /token');
  expect(response.status).toBe(200);
  return response.json();
}

describe.each(engines)('a console session opened with a key on $name', (engine) => {
  let ahead = 0;
  const clock = steppingClock();
  const service = useService(engine, { accounts: fastAccounts, now: () => clock() + ahead });
  const revoke = ({ keyId }: TestStore) =>
    service().deployment.writer.apply(revokeKey, { keyId, at: BigInt(clock()) });
  const places = async (key: string) =>
    (
      await service().request('POST /v2/store/orders', {
        key,
        headers: { 'content-type': 'application/json' },
        body: '{"petId":1,"quantity":1}',
      })
    ).status;

  it('covers its store, and calls the API with a separate key', async () => {
    const store = await service().openStore();
    const browser = await open(service(), store.key);
    expect((await browser.send('GET /session')).json()).toMatchObject({
      email: null,
      createdAt: null,
      firstKey: null,
      deployment: 'production',
      key: { id: store.keyId, lastFour: store.key.slice(-4), scope: 'full', expiresAt: null },
    });
    const { key } = await keyOf(browser);
    expect(key).not.toBe(store.key);
    expect(await places(key)).toBe(201);
    expect(JSON.stringify([...browser.cookies])).not.toContain(store.key);
    expect(service().log.join('')).not.toContain(store.key);
    await browser.send('POST /sign-out');
    expect((await browser.send('GET /session')).status).toBe(204);
    expect(await statusOf(service(), key)).toBe(401);
    expect(await statusOf(service(), store.key)).toBe(200);
  });

  it('cannot manage an account, not even its own store’s', async () => {
    const member = await signUpAndIn(service());
    const { key } = await firstKey(member);
    const browser = await open(service(), key);
    for (const call of [
      'POST /sign-out-everywhere',
      'POST /change-password',
      'DELETE /account',
      'GET /keys',
      'POST /keys',
      'POST /keys/key_x/roll',
      'DELETE /keys/key_x',
      'GET /sessions',
      'DELETE /sessions/x',
      'GET /events',
    ])
      expect([call, codeOf(await browser.send(call))]).toEqual([call, '403 forbidden']);
    const { data } = (await member.browser.send('GET /events')).json<{ data: { what: string }[] }>();
    expect(data[0]).toMatchObject({ what: 'opened_with_key', key: { lastFour: key.slice(-4) } });
  });

  it('ends with the key, as do the session’s keys: revoked, rolled or expired', async () => {
    const store = await service().openStore();
    const member = await signUpAndIn(service());
    const { id, key: rolledKey } = await firstKey(member);
    const browsers = [await open(service(), store.key), await open(service(), rolledKey)] as const;
    const keys = await Promise.all(browsers.map(keyOf));
    await revoke(store);
    expect((await member.browser.send(`POST /keys/${id}/roll`, { overlap: 'now' })).status).toBe(201);
    for (const [i, browser] of browsers.entries()) {
      expect(await statusOf(service(), keys[i]?.key ?? '')).toBe(401);
      expect(codeOf(await browser.send('GET /session'))).toBe('401 not_signed_in');
      expect(codeOf(await browser.send('POST /token'))).toBe('401 not_signed_in');
    }
    for (const ended of [store.key, rolledKey])
      expect(codeOf(await openBrowser(service()).send('POST /open-with-key', { key: ended }))).toBe(
        '401 invalid_api_key',
      );

    const soon = new Date(clock() + 5 * MINUTE).toISOString();
    const short = await createKey(member, { name: 'short', expiresAt: soon });
    const browser = await open(service(), short.key);
    const minted = await keyOf(browser);
    expect(minted.expiresAt).toBe(soon);
    ahead = 6 * MINUTE;
    expect(codeOf(await browser.send('GET /session'))).toBe('401 not_signed_in');
    expect(await statusOf(service(), minted.key)).toBe(401);
    ahead = 0;
  });

  it('is read-only if the key is', async () => {
    const { storeId } = await service().openStore();
    const { key, details } = newKey('production', 'reader', null, 'read');
    await service().deployment.writer.apply(addKey, { storeId, key: details, at: BigInt(clock()) });
    const minted = await keyOf(await open(service(), key));
    expect(await statusOf(service(), minted.key)).toBe(200);
    expect(await places(minted.key)).toBe(403);
  });

  it('replaces the browser’s previous session, and no key of one session opens another', async () => {
    const member = await signUpAndIn(service());
    const stolen = new Map(member.browser.cookies);
    const minted = await keyOf(member.browser);
    expect(codeOf(await openBrowser(service()).send('POST /open-with-key', { key: minted.key }))).toBe(
      '401 invalid_api_key',
    );
    const store = await service().openStore();
    await open(service(), store.key, member.browser);
    expect((await member.browser.send('GET /session')).json()).toMatchObject({ email: null });
    const thief = openBrowser(service());
    for (const [name, value] of stolen) thief.cookies.set(name, value);
    expect(codeOf(await thief.send('GET /session'))).toBe('401 not_signed_in');
  });

  it('is opened only from the console, with a key of this deployment, and expires', async () => {
    const { key } = await service().openStore();
    const browser = openBrowser(service());
    const from = (headers: Record<string, string>) => browser.send('POST /open-with-key', { key }, headers);
    expect(codeOf(await from({ origin: 'https://evil.example' }))).toBe('403 forbidden_origin');
    expect(codeOf(await from({ 'sec-fetch-site': 'cross-site' }))).toBe('403 forbidden_origin');
    expect(codeOf(await from({ 'content-type': 'text/plain' }))).toBe('415 unsupported_media_type');
    for (const body of [{}, { key: 7 }, { key: 'x'.repeat(1001) }, { key, more: 1 }])
      expect(codeOf(await browser.send('POST /open-with-key', body))).toBe('400 invalid_body');
    for (const wrong of ['nonsense', newKey('staging', '').key, newKey('production', '').key])
      expect(codeOf(await browser.send('POST /open-with-key', { key: wrong }))).toBe('401 invalid_api_key');
    await using strict = await startService(engine, {
      accounts: { ...fastAccounts, limits: { perAddress: 2, perAccount: 9 } },
    });
    const guesser = openBrowser(strict);
    const codes = [];
    for (let i = 0; i < 3; i++) codes.push(codeOf(await guesser.send('POST /open-with-key', { key: 'x' })));
    expect(codes).toEqual(['401 invalid_api_key', '401 invalid_api_key', '429 rate_limited']);
  });
});
