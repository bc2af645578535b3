import { describe, expect, it } from 'vitest';
import {
  codeOf,
  createKey,
  fastAccounts,
  firstKey,
  listKeys,
  signUpAndIn,
  statusOf,
} from '../accounts/browser.ts';
import { engines } from '../support/engines.ts';
import type { Response } from '../support/http.ts';
import { startService, useService } from '../support/service.ts';
import { steppingClock } from '../support/stepping-clock.ts';
import { clientOf } from '../support/v2.ts';

/** The demonstration data has 12 pets, 40 orders and no webhook. */
const quotas = { keys: 3n, pets: 14n, orders: 42n, idempotencyKeys: 4n, webhooks: 2n };
const times = (count: number) => Array.from({ length: count }, (_, index) => index);
const statuses = (responses: readonly Response[]) => responses.map(({ status }) => status).sort();

describe.each(engines)('the quotas of a store on $name', (engine) => {
  const options = { accounts: fastAccounts, quotas, now: steppingClock() };
  const service = useService(engine, options);
  const addPet = (key: string, at = service()) =>
    clientOf(at, { key })('POST /v2/pets', { body: { name: 'Tom', category: 'cat', stock: 9 } });
  const place = (key: string, at = service(), body = { petId: 1, quantity: 1 }) =>
    clientOf(at, { key })('POST /v2/store/orders', { body });
  const addWebhook = (key: string, at = service()) =>
    clientOf(at, { key })('POST /v2/webhooks', { body: { url: 'https://receiver.invalid/' } });

  it.each([
    ['pets', addPet, 'pet_limit_reached'],
    ['orders', place, 'order_limit_reached'],
    ['webhooks', addWebhook, 'webhook_limit_reached'],
  ] as const)('for %s ends at its number, and one more changes nothing', async (_, add, code) => {
    const { key } = await service().openStore();
    expect(statuses([await add(key), await add(key)])).toEqual([201, 201]);
    const before = await service().request('GET /v2/pets/1', { key });
    expect(codeOf(await add(key))).toBe(`409 ${code}`);
    const after = await service().request('GET /v2/pets/1', { key });
    expect([after.text, after.headers.etag]).toEqual([before.text, before.headers.etag]);
  });

  it.each([
    ['pets', addPet],
    ['orders', place],
    ['webhooks', addWebhook],
  ] as const)('for %s is exact when many come at once, to two replicas', async (_, add) => {
    await using replica = await startService(engine, { ...options, database: service().database });
    const { key } = await service().openStore();
    const responses = await Promise.all(times(10).map((made) => add(key, made % 2 ? service() : replica)));
    expect(statuses(responses)).toEqual([201, 201, ...Array(8).fill(409)]);
  });

  it('for orders ignores rejected ones', async () => {
    const { key } = await service().openStore();
    const tooMany = { petId: 1, quantity: 1000 };
    const rejected = await Promise.all(times(5).map(() => place(key, service(), tooMany)));
    expect(rejected.map(codeOf)).toEqual(Array(5).fill('409 insufficient_stock'));
    expect(statuses([await place(key), await place(key), await place(key)])).toEqual([201, 201, 409]);
  });

  it('for keys has a fixed maximum, and revoking one allows another', async () => {
    const member = await signUpAndIn(service());
    const first = await firstKey(member);
    await createKey(member, { name: 'two' });
    const create = () => member.browser.send('POST /keys', { name: 'more' });
    const responses = await Promise.all([create(), create(), create()]);
    expect(statuses(responses)).toEqual([201, 409, 409]);
    expect(codeOf(await create())).toBe('409 key_limit_reached');
    expect((await member.browser.send('POST /token')).status).toBe(200);
    await member.browser.send(`DELETE /keys/${first.id}`);
    expect((await create()).status).toBe(201);
    expect(codeOf(await create())).toBe('409 key_limit_reached');
  });

  it('for keys includes rolled ones while the old one works', async () => {
    const member = await signUpAndIn(service());
    const { id } = await firstKey(member);
    await createKey(member, { name: 'two' });
    const roll = (keyId: string, overlap: string) =>
      member.browser.send(`POST /keys/${keyId}/roll`, { overlap });
    const rolled = await roll(id, '24h');
    expect(rolled.status).toBe(201);
    const successor = rolled.json<{ id: string }>().id;
    expect(codeOf(await roll(successor, '1h'))).toBe('409 key_limit_reached');
    expect((await roll(successor, 'now')).status).toBe(201);
  });

  it('for past keys retains the newest thousand', async () => {
    const member = await signUpAndIn(service());
    const { id } = await firstKey(member);
    await service().database.exec(
      `INSERT INTO keys (hash, id, store_id, name, last_four, scope, created_at, revoked_at)
       SELECT 'hash' || n || store_id, 'key_' || n || 'x' || store_id, store_id, 'old', 'xxxx', 'full', n, n
       FROM keys, (WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1100)
         SELECT n FROM numbers) AS made WHERE id = '${id}'`,
    );
    await createKey(member, { name: 'new' });
    const [row] = await service().database.rows(
      `SELECT count(*) AS n, min(created_at) AS oldest FROM keys
       WHERE store_id = (SELECT store_id FROM keys WHERE id = '${id}')`,
    );
    expect(row).toEqual({ n: 1002n, oldest: 101n });
  });

  it('for idempotency keys drops the oldest first', async () => {
    const { key } = await service().openStore();
    const send = clientOf(service(), { key });
    // Rejections are stored, too, without counting as orders.
    const rejected = (idempotencyKey: string) =>
      send('POST /v2/store/orders', {
        headers: { 'idempotency-key': idempotencyKey },
        body: { petId: 1, quantity: 1000 },
      });
    await Promise.all(times(5).map((n) => rejected(`key ${n}`)));
    const [row] = await service().database.rows(
      `SELECT count(*) AS n FROM idempotency JOIN keys ON keys.store_id = idempotency.store_id
       WHERE last_four = '${key.slice(-4)}'`,
    );
    expect(row?.n).toBe(4n);
    for (const n of [5, 6, 7, 8]) await rejected(`key ${n}`);
    expect((await rejected('key 5')).headers['idempotent-replayed']).toBe('true');
    expect((await rejected('key 4')).headers['idempotent-replayed']).toBeUndefined();
    expect((await rejected('key 5')).headers['idempotent-replayed']).toBeUndefined();
  });

  it('for idempotency keys, once lowered, drops the oldest with each new key down to the limit', async () => {
    const { key, storeId } = await service().openStore();
    await service().database.exec(
      `INSERT INTO idempotency (store_id, key, fingerprint, answer, number, expires_at)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)
       SELECT ${storeId}, 'key ' || i, '', '', i, 9000000000000000 FROM n;
       UPDATE stores SET next_idempotency = 151 WHERE id = ${storeId}`,
    );
    const left = async (placed: number) => {
      await clientOf(service(), { key })('POST /v2/store/orders', {
        headers: { 'idempotency-key': `new ${placed}` },
        body: { petId: 1, quantity: 1000 },
      });
      const [row] = await service().database.rows(
        `SELECT count(*) AS n, min(number) AS oldest FROM idempotency WHERE store_id = ${storeId}`,
      );
      return row;
    };
    expect(await left(1)).toEqual({ n: 51n, oldest: 101n });
    expect(await left(2)).toEqual({ n: 4n, oldest: 149n });
  });

  it('for keys of a console session replaces the oldest', async () => {
    const member = await signUpAndIn(service());
    const keys: string[] = [];
    for (const _ of times(6))
      keys.push((await member.browser.send('POST /token')).json<{ key: string }>().key);
    const found: number[] = [];
    for (const key of keys) found.push(await statusOf(service(), key));
    expect(found).toEqual([401, 200, 200, 200, 200, 200]);
    expect(await listKeys(member)).toHaveLength(0);
  });
});
