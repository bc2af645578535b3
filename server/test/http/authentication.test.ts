import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../src/database/engine.ts';
import { generateKey, keyMatcher } from '../../src/domain/key-format.ts';
import { createKey, revokeKey } from '../../src/keys/manage-keys.ts';
import { anyEngine, engines, sqlite } from '../support/engines.ts';
import { orderIds } from '../support/orders.ts';
import { startService, useService } from '../support/service.ts';

const operations = [
  'GET /v1/store/orders',
  'DELETE /v1/store/orders/2',
  'GET /v1/pets',
  'GET /v1/pets/1',
] as const;

describe.each(engines)('a key on $name', (engine) => {
  const service = useService(engine);

  it.each(operations)('%s with an unknown one is 401 invalid_api_key', async (operation) => {
    const { request, openStore, deployment } = service();
    const { key } = await openStore();
    const revoked = await openStore();
    await deployment.writer.apply(revokeKey, { keyId: revoked.keyId, at: BigInt(Date.now()) });
    const expired = await openStore(BigInt(Date.now() - 1));
    const bad = {
      unknown: generateKey('production'),
      'of the other deployment': generateKey('staging'),
      revoked: revoked.key,
      expired: expired.key,
      'with a prefix of the other deployment': key.replace('pst_live_', 'pst_test_'),
      'in upper case': key.toUpperCase(),
      'cut short': key.slice(0, -1),
      'with something after it': `${key}A`,
      'with a comma': `${key},${key}`,
      'with another word': `${key} extra`,
      quoted: `"${key}"`,
      junk: 'junk',
      'a hash': 'a'.repeat(64),
      SQL: "'OR'1'='1",
      'a very long one': 'a'.repeat(8000),
      'in other letters': 'pst_live_éééééééééééééééééééééééééééééééééééééé',
    };
    for (const [name, wrong] of Object.entries(bad)) {
      const response = await request(operation, { headers: { authorization: `Bearer ${wrong}` } });
      expect([name, response.status, response.json()]).toMatchObject([
        name,
        401,
        { code: 'invalid_api_key', status: 401n },
      ]);
      expect(response.headers['www-authenticate']).toBe('Bearer realm="petstore", error="invalid_token"');
    }
  });

  it('a rejected cancel cancels nothing', async () => {
    const { request, openStore, deployment } = service();
    const store = await openStore();
    await request('DELETE /v1/store/orders/2');
    await request('DELETE /v1/store/orders/2', { key: generateKey('production') });
    expect(await orderIds(service(), store)).toContain(2n);
    await deployment.writer.apply(revokeKey, { keyId: store.keyId, at: BigInt(Date.now()) });
    expect((await request('DELETE /v1/store/orders/2', { key: store.key })).status).toBe(401);
  });

  it('is rejected from the next request after revocation, while the store’s other keys work', async () => {
    const { request, openStore, deployment } = service();
    const { key, keyId, storeId } = await openStore();
    const { newKey } = await import('../../src/keys/manage-keys.ts');
    const second = newKey('production', 'second');
    await deployment.writer.apply(createKey, { storeId, key: second.details, at: BigInt(Date.now()) });
    expect((await request('GET /v1/pets', { key })).status).toBe(200);
    await deployment.writer.apply(revokeKey, { keyId, at: BigInt(Date.now()) });
    expect((await request('GET /v1/pets', { key })).status).toBe(401);
    expect((await request('GET /v1/pets', { key: second.key })).status).toBe(200);
  });

  it('expires on time', async () => {
    let now = 1_800_000_000_000;
    await using clocked = await startService(engine, { now: () => now });
    const { key } = await clocked.openStore(BigInt(now + 1000));
    now += 999;
    expect((await clocked.request('GET /v1/pets', { key })).status).toBe(200);
    now += 1;
    expect((await clocked.request('GET /v1/pets', { key })).status).toBe(401);
  });

  // The rest is decided before any query.
  if (!anyEngine.includes(engine)) return;

  it.each(operations)('%s without one is 401 missing_api_key', async (operation) => {
    const { request, openStore } = service();
    const { key } = await openStore();
    const unusable = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      key,
      `Basic ${key}`,
      `Token ${key}`,
      `Bearer${key}`,
    ];
    for (const authorization of unusable) {
      const response = await request(
        operation,
        authorization === undefined ? {} : { headers: { authorization } },
      );
      expect([authorization, response.status, response.json()]).toMatchObject([
        authorization,
        401,
        { code: 'missing_api_key', status: 401n },
      ]);
      expect(response.headers['www-authenticate']).toBe('Bearer realm="petstore"');
    }
  });

  it('the scheme may be written in any case, with spaces around the key', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    for (const authorization of [`bearer ${key}`, `BEARER   ${key}`, `Bearer\t${key}`, `Bearer ${key}  `]) {
      expect((await request('GET /v1/pets', { headers: { authorization } })).status).toBe(200);
    }
  });

  it('is required before anything else under the base address', async () => {
    const { request } = service();
    const targets = [
      'GET /v1',
      'GET /v1/',
      'GET /v1/nothing/here',
      'POST /v1/nothing',
      'POST /v1/pets',
      'PUT /v1/store/orders/1',
      'GET /v1/store/orders/1',
      'DELETE /v1/store/orders/abc',
      'OPTIONS /v1/pets',
      'TRACE /v1/pets',
      'GET /v1/%zz',
      'GET /v1/pets/',
      'GET /v1/../v1/pets',
      'GET /v1?x',
    ];
    for (const target of targets) expect([target, (await request(target)).status]).toEqual([target, 401]);
    expect((await request('HEAD /v1/pets')).status).toBe(401);
  });
});

describe('an invalid key', () => {
  it('is rejected even while the database is down: every single-character change of a key', async () => {
    let unreachable = false;
    await using service = await startService(sqlite, {
      wrap: (db) => ({
        ...db,
        all: async (query, params) => {
          if (unreachable) throw new Unavailable('gone');
          return db.all(query, params);
        },
      }),
    });
    const { key } = await service.openStore();
    unreachable = true;
    const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-';
    for (let place = 0; place < key.length; place++) {
      for (const letter of letters) {
        if (letter === key[place]) continue;
        const changed = key.slice(0, place) + letter + key.slice(place + 1);
        expect([changed, keyMatcher('production')(changed)]).toEqual([changed, false]);
      }
      const changed = key.slice(0, place) + (key[place] === 'x' ? 'y' : 'x') + key.slice(place + 1);
      expect((await service.request('GET /v1/pets', { key: changed })).status).toBe(401);
    }
    expect((await service.request('GET /v1/pets', { key })).status).toBe(503);
  });
});
