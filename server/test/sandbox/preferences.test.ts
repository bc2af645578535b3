import { describe, expect, it } from 'vitest';
import { parsePreferences } from '../../src/sandbox/preferences.ts';
import { anyEngine, sqlite } from '../support/engines.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import { startService, useService } from '../support/service.ts';
import { clientOf, type Order } from '../support/v2.ts';
import { requestText, sendBytes, staging } from './support.ts';

describe('the header Prefer', () => {
  const read = (header: string) =>
    parsePreferences(header).map(({ name, value, parameters }) => [name, value, { ...parameters }]);

  it.each([
    ['fault=drop', [['fault', 'drop', {}]]],
    ['fault=delay; ms=2000', [['fault', 'delay', { ms: '2000' }]]],
    ['Fault = delay ;ms="2000"; ; x', [['fault', 'delay', { ms: '2000', x: '' }]]],
    [
      'now="2030-12-06T00:00:00Z", handling=strict',
      [
        ['now', '2030-12-06T00:00:00Z', {}],
        ['handling', 'strict', {}],
      ],
    ],
    ['code=409, code=500', [['code', '409', {}]]],
    ['respond-async', [['respond-async', '', {}]]],
    [
      'a="b, \\"c\\";d", e=f',
      [
        ['a', 'b, "c";d', {}],
        ['e', 'f', {}],
      ],
    ],
    [', ,fault=drop,', [['fault', 'drop', {}]]],
    [
      'fault=dr op, code=409',
      [
        ['fault=dr op', '', {}],
        ['code', '409', {}],
      ],
    ],
    ['a="open', [['a="open', '', {}]]],
    ['', []],
  ])('%j is parsed according to RFC 7240', (header, preferences) => {
    expect(read(header)).toEqual(preferences);
  });

  it('is parsed up to its first two kilobytes, without cutting a preference', () => {
    const many = Array.from({ length: 4_000 }, (_, i) => `a${i}=b`);
    const names = parsePreferences(many.join()).map(({ name, value }) => `${name}=${value}`);
    expect(names).toEqual(many.slice(0, names.length));
    expect(names.join().length).toBeGreaterThan(2_000);
    expect(names.join().length).toBeLessThanOrEqual(2_048);
  });

  it('with any text is parsed to its end: an invalid list is one unknown preference', () => {
    const count = (step: string) => [step, parsePreferences(step.repeat(8_000)).length];
    expect(['a=";', 'a;', '"', 'a="\\"', ';;', 'a=b;c="d" ', ',', ' \t'].map(count)).toEqual([
      ...['a=";', 'a;', '"', 'a="\\"', ';;', 'a=b;c="d" '].map((step) => [step, 1]),
      ...[',', ' \t'].map((step) => [step, 0]),
    ]);
  });
});

describe.each(anyEngine)('preferences on $name', (engine) => {
  const service = useService(engine, staging);

  it('that are unknown, or cannot be applied, are ignored', async () => {
    const client = clientOf(service(), await service().openStore());
    for (const prefer of [
      'respond-async',
      'fault=explode',
      'fault=constructor',
      'fault=delay',
      'fault=delay; ms=30001',
      'fault=drop; ms=1',
      'code=401; retryAfter=3601',
      'code=401; retryAfterForm=soon',
      'fault=status; retryAfter=1',
      'code=409',
      'code=999',
      'now="yesterday"',
      'now="2020-01-01T00:00:00Z"',
      'fault=dr op',
      'handling=lenient, x=y',
    ]) {
      const { status, headers } = await client('GET /v1/pets', { headers: { prefer } });
      expect([prefer, status, headers['preference-applied']]).toEqual([prefer, 200, undefined]);
    }
  });

  it('with `handling=strict` are rejected by name', async () => {
    const client = clientOf(service(), await service().openStore());
    for (const [prefer, named] of [
      ['respond-async', 'respond-async'],
      ['fault=explode', 'fault=explode'],
      ['fault=delay', 'fault=delay'],
      ['code=409', 'code=409'],
      ['now="2020-01-01T00:00:00Z"', 'now="2020-01-01T00:00:00Z"'],
      ['fault=delay; ms=1, code=503', 'code=503'],
    ] as const) {
      const response = await client('GET /v1/pets', { headers: { prefer: `handling=strict, ${prefer}` } });
      expect([prefer, response.status, response.error().code]).toEqual([prefer, 400, 'invalid_preference']);
      expect(response.error().message).toContain(named);
    }
    const fine = await client('GET /v1/pets', { headers: { prefer: 'fault=delay; ms=1, handling=strict' } });
    expect([fine.status, fine.headers['preference-applied']]).toEqual([200, 'fault=delay']);
  });

  it('for a 405 list the path’s methods', async () => {
    const client = clientOf(service(), await service().openStore());
    const headers = { prefer: 'code=405' };
    const list = await client('GET /v1/store/orders', { headers });
    expect([list.status, list.headers.allow]).toEqual([405, 'GET, HEAD']);
    const cancel = await client('DELETE /v1/store/orders/2', { headers });
    expect([cancel.status, cancel.headers.allow]).toEqual([405, 'DELETE']);
  });

  it.each([
    ['code=503', '1'],
    ['code=503; retryAfter=7', '7'],
    ['fault=status; code=429; retryAfter=0; retryAfterForm=seconds', '0'],
    ['code=503; retryAfterForm=date', 'Wed, 05 Mar 2031 00:00:01 GMT'],
    ['code=409; retryAfter=3600; retryAfterForm=date', 'Wed, 05 Mar 2031 01:00:00 GMT'],
  ])('%s: retry after %s', async (prefer, expected) => {
    const now = () => Date.parse('2031-03-04T23:59:59.500Z');
    await using own = await startService(engine, { ...staging, now });
    const { key } = await own.openStore();
    const { headers } = await own.request('DELETE /v1/store/orders/2', { key, headers: { prefer } });
    expect(headers['preference-applied']).toBe(prefer.split(';')[0]);
    expect(headers['retry-after']).toBe(expected);
  });

  it('are applied after authentication', async () => {
    for (const prefer of ['fault=drop', 'code=503', 'handling=strict, x', 'now="2031-01-01T00:00:00Z"']) {
      expect((await service().request('GET /v1/pets', { headers: { prefer } })).status).toBe(401);
      const { key } = await service().openStore(BigInt(Date.now() - 1000));
      expect((await service().request('GET /v1/pets', { key, headers: { prefer } })).status).toBe(401);
    }
  });

  it('for another time reach the sunset', async () => {
    const client = clientOf(service(), await service().openStore());
    const at = async (now: string) => {
      const response = await client('GET /v1/pets/1', { headers: { prefer: `now="${now}"` } });
      return [response.status, response.headers['preference-applied']];
    };
    expect(await at('2030-12-04T23:59:59.999Z')).toEqual([200, 'now="2030-12-04T23:59:59.999Z"']);
    expect(await at('2030-12-05T00:00:00Z')).toEqual([410, 'now="2030-12-05T00:00:00Z"']);
    expect(await at('2030-12-06T00:00:00Z')).toEqual([410, 'now="2030-12-06T00:00:00Z"']);
    expect((await client('GET /v1/pets/1')).status).toBe(200);
    expect(
      (await client('GET /v2/pets/1', { headers: { prefer: 'now="2030-12-06T00:00:00Z"' } })).status,
    ).toBe(200);
  });

  it('are listed when applied: after the sunset no fault fires', async () => {
    const client = clientOf(service(), await service().openStore());
    const at = async (now: string) => {
      const prefer = `now="${now}", fault=delay; ms=1`;
      const { status, headers } = await client('GET /v1/pets/1', { headers: { prefer } });
      return [status, headers['preference-applied']];
    };
    const before = '2030-12-04T00:00:00Z';
    const after = '2030-12-06T00:00:00Z';
    expect(await at(before)).toEqual([200, `now="${before}", fault=delay`]);
    expect(await at(after)).toEqual([410, `now="${after}"`]);
  });

  it('are listed in one header, however many were applied', async () => {
    const prefer = 'Prefer: now="2030-12-04T00:00:00Z", fault=delay; ms=1';
    const request = requestText('GET /v1/pets/1', await service().openStore(), [prefer, 'Connection: close']);
    const { text } = await sendBytes(service(), request);
    expect(text.match(/^(preference-applied: .*|vary: Prefer)$/gim)).toEqual([
      'preference-applied: now="2030-12-04T00:00:00Z", fault=delay',
      'vary: Prefer',
    ]);
  });

  it('for another time reject a key that will have expired by then, and only then', async () => {
    const store = await service().openStore(BigInt(Date.parse('2031-01-01T00:00:00Z')));
    const client = clientOf(service(), store);
    const at = (now: string) => client('GET /v1/pets', { headers: { prefer: `now="${now}"` } });
    expect((await at('2030-12-31T23:59:59Z')).status).toBe(200);
    const rejected = await at('2031-01-01T00:00:00Z');
    expect([rejected.status, rejected.error().code]).toEqual([401, 'invalid_api_key']);
    expect(rejected.headers['www-authenticate']).toContain('invalid_token');
    expect((await client('GET /v1/pets')).status).toBe(200);
  });

  it('for another time determine timestamps, and times of an order never go back', async () => {
    const client = clientOf(service(), await service().openStore());
    const headers = { prefer: 'now="2029-05-01T10:00:00Z"' };
    const placed = (
      await client('POST /v2/store/orders', { headers, body: { petId: 1, quantity: 1 } })
    ).json<Order>();
    expect([placed.placedAt, placed.updatedAt]).toEqual([
      '2029-05-01T10:00:00.000Z',
      '2029-05-01T10:00:00.000Z',
    ]);
    const shipped = (await client(`POST /v2/store/orders/${placed.id}/ship`)).json<Order>();
    expect([shipped.shipDate, shipped.updatedAt]).toEqual([
      '2029-05-01T10:00:00.000Z',
      '2029-05-01T10:00:00.000Z',
    ]);
    const later = { prefer: 'now="2029-06-01T00:00:00Z"' };
    const delivered = (
      await client(`POST /v2/store/orders/${placed.id}/deliver`, { headers: later })
    ).json<Order>();
    expect([delivered.updatedAt, delivered.shipDate]).toEqual([
      '2029-06-01T00:00:00.000Z',
      '2029-05-01T10:00:00.000Z',
    ]);
  });

  it('for a time so late that relative dates would need five-digit years are not applied', async () => {
    const client = clientOf(service(), await service().openStore());
    const place = (now: string) =>
      client('POST /v2/store/orders', {
        headers: { prefer: `now="${now}"` },
        body: { petId: 1, quantity: 1 },
      });
    const latest = await place('9999-01-01T00:00:00Z');
    expect(latest.json<Order>()).toMatchObject({ placedAt: '9999-01-01T00:00:00.000Z' });
    expect(latest.json<Order>().shipDate).toMatch(/^9999-/);
    for (const now of ['9999-01-01T00:00:00.001Z', '9999-12-31T23:59:59.999Z']) {
      const { headers, json } = await place(now);
      expect(headers['preference-applied']).toBeUndefined();
      expect(Date.parse(json<Order>().placedAt)).toBeLessThan(Date.parse('9000-01-01T00:00:00Z'));
    }
  });

  it('for another time do not affect webhook scheduling', async () => {
    await using receiver = await startReceiver();
    await using sending = await startService(engine, {
      ...staging,
      webhooks: { allowPrivate: true },
      intervalMs: 20,
    });
    const client = clientOf(sending, await sending.openStore());
    const webhook = (await client('POST /v2/webhooks', { body: { url: receiver.url } })).json<{
      id: string;
    }>();
    const headers = { prefer: 'now="9998-05-01T10:00:00Z"' };
    const made = await client(`POST /v2/webhooks/${webhook.id}/test`, { headers });
    const { createdAt } = made.json<{ createdAt: string }>();
    expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.now());
    const [{ body }] = (await receiver.waitForMessages(1)) as [Received];
    expect(JSON.parse(body).at).toBe('9998-05-01T10:00:00.000Z');
    await client(`POST /v2/webhooks/${webhook.id}/deliveries/1/redeliver`, { headers });
    await receiver.waitForMessages(2);
  });

  it('for another time prune no idempotency key', async () => {
    const client = clientOf(service(), await service().openStore());
    const place = (key: string, prefer: Record<string, string> = {}) =>
      client('POST /v2/store/orders', {
        headers: { 'idempotency-key': key, ...prefer },
        body: { petId: 1, quantity: 1 },
      });
    await place('one');
    await place('two', { prefer: 'now="2029-05-01T10:00:00Z"' });
    for (const key of ['one', 'two']) expect((await place(key)).headers['idempotent-replayed']).toBe('true');
  });
});

describe('a browser', () => {
  it('may send a preference and read which were applied', async () => {
    await using service = await startService(sqlite, staging);
    const origin = 'http://elsewhere.example';
    const preflight = await service.request('OPTIONS /v2/sandbox/faults', {
      headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'prefer' },
    });
    expect(preflight.headers['access-control-allow-methods']).toContain('PUT');
    expect(preflight.headers['access-control-allow-headers']).toContain('Prefer');
    expect((await service.request('GET /v1/pets')).headers['access-control-expose-headers']).toContain(
      'Preference-Applied',
    );
  });
});
