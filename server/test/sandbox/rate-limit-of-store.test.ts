import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { startService, useService } from '../support/service.ts';
import { clientOf } from '../support/v2.ts';

const headers = { 'content-type': 'application/json' };
const START = Date.parse('2026-12-01T00:00:15.000Z');

describe.each(anyEngine)('a rate limit of one store on $name', (engine) => {
  let now = START;
  const service = useService(engine, { deployment: 'staging', now: () => now });

  async function limitedStore(rateLimit: unknown) {
    const store = await service().openStore();
    const client = clientOf(service(), store);
    const reset = (body: object) =>
      client('POST /v2/sandbox/reset', { headers, body: { dataSet: 'default', ...body } });
    expect((await reset({ rateLimit })).status).toBe(200);
    return { client, reset };
  }

  it('is set by a reset, with 429, Retry-After, RateLimit and RateLimit-Policy, and ends with its window', async () => {
    const { client } = await limitedStore({ requests: 2, seconds: 10 });
    for (const left of [1, 0]) {
      const { status, headers } = await client('GET /v1/pets');
      expect([status, headers['ratelimit-policy']]).toEqual([200, '"store";q=2;w=10']);
      expect(headers.ratelimit).toBe(`"store";r=${left};t=10`);
    }
    now += 2_500;
    const rejected = await client('DELETE /v1/store/orders/2');
    expect([rejected.status, rejected.json()]).toMatchObject([429, { code: 'rate_limited' }]);
    expect(rejected.headers).toMatchObject({ 'retry-after': '8', ratelimit: '"store";r=0;t=8' });
    now += 7_500;
    expect((await client('GET /v1/store/orders')).text).toContain('{"id":2,');
  });

  it('applies to one store only, but not to its sandbox operations; a reset with null lifts it', async () => {
    const { client, reset } = await limitedStore({ requests: 1, seconds: 86_400 });
    expect((await client('GET /v1/pets')).status).toBe(200);
    expect((await client('GET /v1/pets')).status).toBe(429);
    const other = clientOf(service(), await service().openStore());
    const { status, headers } = await other('GET /v1/pets');
    expect([status, headers.ratelimit]).toEqual([200, undefined]);
    // A reset that does not name it leaves it as it is, and begins a window.
    expect((await reset({})).status).toBe(200);
    expect((await client('GET /v1/pets')).status).toBe(200);
    expect((await client('GET /v1/pets')).status).toBe(429);
    expect((await reset({ rateLimit: null })).status).toBe(200);
    for (const _ of [1, 2]) {
      const { status, headers } = await client('GET /v1/pets');
      expect([status, headers.ratelimit]).toEqual([200, undefined]);
    }
  });

  it('is set for a new store, with its own window', async () => {
    const opener = clientOf(service(), await service().openStore());
    const body = { rateLimit: { requests: 1, seconds: 60 } };
    const opened = await opener('POST /v2/sandbox/stores', { headers, body });
    expect(opened.status).toBe(201);
    const client = clientOf(service(), { key: opened.json<{ key: string }>().key });
    expect([(await client('GET /v1/pets')).status, (await client('GET /v1/pets')).status]).toEqual([
      200, 429,
    ]);
    expect((await opener('GET /v1/pets')).headers.ratelimit).toBe(undefined);
  });

  it.each([
    [{ requests: 0, seconds: 60 }, '/rateLimit/requests'],
    [{ requests: 10, seconds: 86_401 }, '/rateLimit/seconds'],
    [{ requests: 10 }, '/rateLimit/seconds'],
    [{ requests: 10, seconds: 60, per: 'key' }, '/rateLimit/per'],
    [10, '/rateLimit'],
  ])('%j is 400 and names %s', async (rateLimit, pointer) => {
    const client = clientOf(service(), await service().openStore());
    const body = { dataSet: 'default', rateLimit };
    const rejected = await client('POST /v2/sandbox/reset', { headers, body });
    expect(rejected.json()).toMatchObject({ code: 'invalid_body', pointer });
  });

  it('is named next to other invalid fields', async () => {
    const client = clientOf(service(), await service().openStore());
    const body = { data: [], rateLimit: { requests: 0 }, unknown: 1 };
    const rejected = await client('POST /v2/sandbox/reset', { headers, body });
    expect(rejected.json()).toEqual({
      code: 'invalid_body',
      message:
        "The request body is not valid: 'data' must be a JSON object; 'rateLimit.requests' must be an integer from 1 to 1000000; 'rateLimit.seconds' is required; 'unknown' is not a known field.",
      status: 400n,
      pointer: '/data',
    });
  });
});

it('counts next to the rate limit of the deployment', async () => {
  const [engine] = anyEngine as [(typeof anyEngine)[number]];
  await using service = await startService(engine, {
    deployment: 'staging',
    rateLimit: 50,
    now: () => START,
  });
  const client = clientOf(service, await service.openStore());
  const body = { dataSet: 'empty', rateLimit: { requests: 5, seconds: 60 } };
  await client('POST /v2/sandbox/reset', { headers, body });
  const { headers: seen } = await client('GET /v1/pets');
  expect(seen['ratelimit-policy']).toBe('"default";q=50;w=60, "store";q=5;w=60');
  expect(seen.ratelimit).toBe('"default";r=48;t=45, "store";r=4;t=60');
});
