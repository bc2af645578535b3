import { describe, expect, it } from 'vitest';
import { engines } from '../support/engines.ts';
import { startService } from '../support/service.ts';

describe.each(engines)('a rate limit on $name', (engine) => {
  it('lets each key make so many requests a minute, says what is left, and then answers 429', async () => {
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
      const refused = await request(target, { key: one.key });
      expect([refused.status, refused.json()]).toMatchObject([429, { code: 'rate_limited', status: 429n }]);
      expect(refused.headers).toMatchObject({ 'retry-after': '45', ratelimit: '"default";r=0;t=45' });
    }
    expect((await request('GET /v1/pets', { key: other.key })).status).toBe(200);
    expect((await request('GET /v1/pets')).status).toBe(401);
    now += 45_000;
    const listed = await request('GET /v1/store/orders', { key: one.key });
    expect(listed.status).toBe(200);
    expect(listed.text).toContain('{"id":2,');
  });

  it('is off unless it was asked for', async () => {
    await using service = await startService(engine);
    const { key } = await service.openStore();
    const { headers } = await service.request('GET /v1/pets', { key });
    expect([headers.ratelimit, headers['ratelimit-policy']]).toEqual([undefined, undefined]);
  });
});
