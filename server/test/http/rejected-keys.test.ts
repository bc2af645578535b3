import { request as send } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newKey, revokeKey } from '../../src/keys/manage-keys.ts';
import { anyEngine } from '../support/engines.ts';
import { startService, type TestService } from '../support/service.ts';

const MOST = 600;
const fake = () => newKey('production', 'nobody').key;

async function rejectMany({ request }: TestService, count: number) {
  const responses = await Promise.all(
    Array.from({ length: count }, () => request('GET /v1/pets', { key: fake() })),
  );
  return responses.map(({ status }) => status);
}

describe.each(anyEngine)('well-formed but unknown keys on $name', (engine) => {
  // The minute passes only when a test advances the clock.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('are rejected without a lookup after 600 from an address in a minute', async () => {
    let lookups = 0;
    await using service = await startService(engine, {
      wrap: (db) => ({
        ...db,
        all: (query, params) => {
          if ('hash' in Object(params)) lookups++;
          return db.all(query, params);
        },
      }),
    });
    expect(new Set(await rejectMany(service, MOST))).toEqual(new Set([401]));
    const before = lookups;
    expect(await rejectMany(service, 20)).toEqual(Array.from({ length: 20 }, () => 429));
    expect(lookups).toBe(before);
    const response = await service.request('GET /v2/pets', { key: fake() });
    expect(response.json()).toMatchObject({ code: 'rate_limited', status: 429n });
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(60);
    // Malformed and missing keys cost nothing and get their own errors.
    expect((await service.request('GET /v1/pets')).status).toBe(401);
    // They are counted from zero after a minute.
    vi.advanceTimersByTime(60_000);
    expect(await rejectMany(service, 1)).toEqual([401]);
  });

  it('affect no other address and no key that worked', async () => {
    await using service = await startService(engine);
    const { key, keyId } = await service.openStore();
    expect((await service.request('GET /v1/pets', { key })).status).toBe(200);
    await rejectMany(service, MOST);
    expect((await service.request('GET /v1/pets', { key })).status).toBe(200);
    const other = await service.openStore();
    expect((await service.request('GET /v1/pets', { key: other.key })).status).toBe(429);
    expect(await statusFrom('127.0.0.2', service.port, other.key)).toBe(200);
    await service.deployment.writer.apply(revokeKey, { keyId, at: BigInt(Date.now()) });
    expect((await service.request('GET /v1/pets', { key })).status).toBe(401);
  });
});

function statusFrom(localAddress: string, port: number, key: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    send({ host: '127.0.0.1', port, path: '/v1/pets', localAddress, headers }, (response) =>
      resolve(response.resume().statusCode),
    )
      .on('error', reject)
      .end();
  });
}
