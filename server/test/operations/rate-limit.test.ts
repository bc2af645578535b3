import { describe, expect, it } from 'vitest';
import type { FlagValues } from '../../src/config/flags.ts';
import { serveConfigFrom } from '../../src/config/serve-config.ts';
import { UsageError } from '../../src/config/usage-error.ts';
import { defaultQuotas, NO_QUOTA } from '../../src/domain/quotas.ts';
import {
  createRequestCounts,
  perMinute,
  type RequestCounts,
} from '../../src/rate-limiting/limit-requests.ts';
import { codeOf, fastAccounts, firstKey, openBrowser, signUpAndIn } from '../accounts/browser.ts';
import { anyEngine, postgres } from '../support/engines.ts';
import { startService } from '../support/service.ts';

describe.each(anyEngine)('a rate limit on $name', (engine) => {
  it('allows each store a number of requests a minute, reports the rest, then responds 429', async () => {
    let now = Date.parse('2026-12-01T00:00:15.000Z');
    await using service = await startService(engine, { rateLimit: 3, now: () => now });
    const { request } = service;
    const [one, other] = [await service.openStore(), await service.openStore()];
    for (const left of [2, 1, 0]) {
      const { status, headers } = await request('GET /v1/pets', { key: one.key });
      expect(status).toBe(200);
      expect(headers['ratelimit-policy']).toBe('"default";q=3;w=60');
      expect(headers.ratelimit).toBe(`"default";r=${left};t=45`);
    }
    for (const target of ['GET /v1/pets', 'DELETE /v1/store/orders/2', 'GET /v1/nothing']) {
      const rejected = await request(target, { key: one.key });
      expect([rejected.status, rejected.json()]).toMatchObject([429, { code: 'rate_limited', status: 429n }]);
      expect(rejected.headers).toMatchObject({ 'retry-after': '45', ratelimit: '"default";r=0;t=45' });
    }
    expect((await request('GET /v1/pets', { key: other.key })).status).toBe(200);
    expect((await request('GET /v1/pets')).status).toBe(401);
    now += 45_000;
    const listed = await request('GET /v1/store/orders', { key: one.key });
    expect(listed.status).toBe(200);
    expect(listed.text).toContain('{"id":2,');
  });

  it('counts all keys of a store together, and its owner’s console requests', async () => {
    const now = Date.parse('2026-12-01T00:00:15.000Z');
    await using service = await startService(engine, {
      rateLimit: 13,
      now: () => now,
      accounts: fastAccounts,
    });
    const member = await signUpAndIn(service);
    const { key } = await firstKey(member);
    const codes: number[] = [];
    for (const _ of [1, 2, 3, 4, 5, 6]) {
      const minted = await member.browser.send('POST /token');
      codes.push(minted.status);
      const used = minted.status === 200 ? minted.json<{ key: string }>().key : key;
      codes.push((await service.request('GET /v1/pets', { key: used })).status);
    }
    // In addition to the first session request.
    expect(codes).toEqual(Array(12).fill(200));
    const rejected = await member.browser.send('GET /keys');
    expect(codeOf(rejected)).toBe('429 rate_limited');
    expect(rejected.headers).toMatchObject({ 'retry-after': '45', ratelimit: '"default";r=0;t=45' });
    expect((await service.request('GET /v1/pets', { key })).status).toBe(429);
  });

  it('applies to console visitors by address', async () => {
    const now = Date.parse('2026-12-01T00:00:15.000Z');
    const options = { rateLimit: 3, now: () => now, accounts: fastAccounts, trustProxy: true };
    await using service = await startService(engine, options);
    const visit = (call: string, address: string) =>
      openBrowser(service).send(call, undefined, { 'x-forwarded-for': address });
    const codes: number[] = [];
    for (const call of ['GET /session', 'POST /sign-in', 'GET /nothing', 'GET /session', 'POST /sign-in']) {
      codes.push((await visit(call, '203.0.113.1')).status);
    }
    expect(codes).toEqual([204, 400, 404, 429, 429]);
    expect((await visit('GET /session', '203.0.113.2')).status).toBe(204);
  });

  it('is off by default', async () => {
    await using service = await startService(engine);
    const { key } = await service.openStore();
    const { headers } = await service.request('GET /v1/pets', { key });
    expect([headers.ratelimit, headers['ratelimit-policy']]).toEqual([undefined, undefined]);
  });
});

describe('a rate limit shared by replicas', () => {
  // Replicas synchronize when the test calls `run`, not after a second.
  it('is exceeded only by requests that arrive before replicas synchronize', async () => {
    await using service = await startService(postgres);
    await using replica = await startService(postgres, { database: service.database });
    let now = Date.parse('2026-12-01T00:00:15.000Z');
    const [one, other] = [service, replica].map(({ deployment: { writer } }) =>
      createRequestCounts({ writer, pseudonymize: (subject) => `sealed ${subject}`, now: () => now }),
    ) as [RequestCounts, RequestCounts];
    const take = (counts: RequestCounts, times: number) =>
      Array.from({ length: times }, () => counts.take('store 1', perMinute(10)).isAllowed).filter(Boolean)
        .length;

    expect(take(one, 6)).toBe(6);
    await one.run();
    // The other replica has not synchronized yet, so it allows these.
    expect(take(other, 3)).toBe(3);
    await other.run();
    expect(take(other, 5)).toBe(1);
    expect(take(one, 20)).toBe(4);
    await Promise.all([one.run(), other.run()]);
    await Promise.all([one.run(), other.run()]);
    expect([take(one, 5), take(other, 5)]).toEqual([0, 0]);
    const [row] = await service.database.rows("SELECT count FROM attempts WHERE bucket LIKE 'sealed %'");
    expect(row?.count).toBe(14n);

    now += 45_000;
    expect([take(one, 4), take(other, 0)]).toEqual([4, 0]);
    await one.run();
    expect(take(other, 20)).toBe(10);
    await other.run();
    expect([take(one, 20), take(other, 1)]).toEqual([6, 0]);
  });

  it('is shared by services on the same database', async () => {
    const now = Date.parse('2026-12-01T00:00:15.000Z');
    const options = { rateLimit: 1000, now: () => now };
    await using service = await startService(postgres, options);
    await using replica = await startService(postgres, { ...options, database: service.database });
    const { key } = await service.openStore();
    const left = async ({ request }: typeof service) =>
      Number(/r=(\d+)/.exec(String((await request('GET /v1/pets', { key })).headers.ratelimit))?.[1]);
    for (const _ of [1, 2, 3, 4]) await left(service);
    let own = 0;
    /** How many requests to other replicas this one counts. */
    const others = async () => 1000 - (await left(replica)) - ++own;
    expect(await others()).toBe(0);
    await expect.poll(others, { interval: 200 }).toBe(4);
  });
});

describe('the limits of a service', () => {
  const limitsOf = (values: FlagValues) => {
    const { rateLimit, quotas } = serveConfigFrom(values);
    return { rateLimit, ...quotas };
  };

  it('are on when it listens beyond loopback, and can all be set or turned off', () => {
    expect(limitsOf({})).toEqual({ ...defaultQuotas, rateLimit: undefined, newStores: NO_QUOTA });
    expect(limitsOf({ host: '0.0.0.0' })).toEqual({ ...defaultQuotas, rateLimit: 1200, newStores: 20n });
    expect(limitsOf({ host: '::', 'rate-limit': 'none' }).rateLimit).toBeUndefined();
    expect(limitsOf({ 'rate-limit': '7' }).rateLimit).toBe(7);
    const names = ['max-keys', 'max-pets', 'max-orders', 'max-idempotency-keys', 'max-new-stores'];
    const all = (value: string) => Object.fromEntries(names.map((name) => [name, value])) as FlagValues;
    const { rateLimit: _, webhooks, ...set } = limitsOf(all('5'));
    expect([webhooks, ...Object.values(set)]).toEqual([10n, ...Array(5).fill(5n)]);
    const { rateLimit: __, webhooks: ___, ...off } = limitsOf(all('none'));
    expect(Object.values(off)).toEqual(Array(5).fill(NO_QUOTA));
    // All of them are on one page, whose schema has a length.
    expect(limitsOf({ 'max-webhooks': '1000' }).webhooks).toBe(1000n);
    for (const wrong of ['0', '1001', 'none'])
      expect(() => limitsOf({ 'max-webhooks': wrong })).toThrow(UsageError);
    for (const wrong of ['0', '-1', 'x', '1.5'])
      expect(() => limitsOf({ 'max-keys': wrong })).toThrow(UsageError);
  });
});
