import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ensureDemonstrationKey } from '../../src/commands/demonstration-account.ts';
import { revokeKey } from '../../src/keys/manage-keys.ts';
import { engines, temporaryFolder } from '../support/engines.ts';
import { idsWithStatus } from '../support/orders.ts';
import { startService, useService } from '../support/service.ts';

const tables = ['pets', 'orders'];

describe.each(engines)('a new store on $name', (engine) => {
  const service = useService(engine);

  it('has the same contents as every other, byte for byte', async () => {
    const { request, openStore, database } = service();
    const [one, other] = [await openStore(), await openStore()];
    for (const path of ['/v1/store/orders', '/v1/pets']) {
      const { text } = await request(`GET ${path}`, { key: one.key });
      expect((await request(`GET ${path}`, { key: other.key })).text).toBe(text);
    }
    for (const table of tables) {
      const contents = async ({ storeId }: { storeId: bigint }) =>
        (await database.rows(`SELECT * FROM ${table} WHERE store_id = ${storeId}`))
          .map(({ store_id: _, ...row }) => JSON.stringify(row, (_, value) => String(value)))
          .sort();
      expect(await contents(one)).toEqual(await contents(other));
    }
  });

  it('has 12 pets with stock and 40 orders, at least 15 of them pending, none cancelled', async () => {
    const { openStore, database } = service();
    const store = await openStore();
    const count = async (sql: string) => Number((await database.rows(`SELECT count(*) AS n ${sql}`))[0]?.n);
    const ofStore = `WHERE store_id = ${store.storeId}`;
    expect(await count(`FROM pets ${ofStore}`)).toBe(12);
    expect(await count(`FROM orders ${ofStore}`)).toBe(40);
    const counts: Record<string, number> = {};
    for (const status of ['pending', 'shipped', 'delivered', 'cancelled']) {
      counts[status] = (await idsWithStatus(service(), store, status)).length;
    }
    expect(counts.pending).toBeGreaterThanOrEqual(15);
    expect(counts.shipped).toBeGreaterThan(0);
    expect(counts.delivered).toBeGreaterThan(0);
    expect(counts.cancelled).toBe(0);
  });

  it('has a history consistent with each order’s state, in order of time', async () => {
    const { openStore, database, request } = service();
    const { storeId, key } = await openStore();
    const orders = await database.rows(`SELECT * FROM orders WHERE store_id = ${storeId} ORDER BY id`);
    const paths: Record<string, string[]> = {
      pending: ['pending'],
      shipped: ['pending', 'shipped'],
      delivered: ['pending', 'shipped', 'delivered'],
    };
    for (const order of orders) {
      const history = await request(`GET /v2/store/orders/${order.id}/history`, { key });
      const { data: entries } = history.json<{ data: Array<{ status: string; at: string }> }>();
      expect(entries.map(({ status }) => status)).toEqual(paths[String(order.status)]);
      const times = entries.map(({ at }) => BigInt(Date.parse(at)));
      expect(times).toEqual([...times].sort((a, b) => (a < b ? -1 : 1)));
      expect([times[0], times.at(-1)]).toEqual([order.placed_at, order.updated_at]);
      expect(order.revision).toBe(BigInt(entries.length));
      if (order.status !== 'pending') expect(order.ship_date).toBe(times[1]);
      expect(BigInt(order.pet_id as bigint)).toBeGreaterThan(0n);
      expect(BigInt(order.pet_id as bigint)).toBeLessThanOrEqual(12n);
    }
  });
});

const config = { demo: true, stagingKey: undefined, data: '', database: undefined };

describe.each(engines)('the demonstration account on $name', (engine) => {
  it('stores its key in the data folder, readable only by its owner, and finds it again', async () => {
    using folder = temporaryFolder();
    await using service = await startService(engine);
    const { db, writer } = service.deployment;
    const start = () =>
      ensureDemonstrationKey(
        { name: 'production', db, writer },
        { ...config, data: folder.path },
      ) as Promise<string>;
    const key = await start();
    expect(statSync(join(folder.path, 'production.demo-key')).mode & 0o777).toBe(0o600);
    expect(await start()).toBe(key);
    expect((await service.request('GET /v1/store/orders', { key })).json()).toHaveLength(40);
  });

  it('gets a further key for the same store after the stored one is revoked', async () => {
    using folder = temporaryFolder();
    await using service = await startService(engine);
    const { db, writer } = service.deployment;
    const start = () =>
      ensureDemonstrationKey(
        { name: 'production', db, writer },
        { ...config, data: folder.path },
      ) as Promise<string>;
    const first = await start();
    await service.request('DELETE /v1/store/orders/2', { key: first });
    const [row] = await service.database.rows('SELECT id FROM keys');
    await writer.apply(revokeKey, { keyId: String(row?.id), at: BigInt(Date.now()) });
    const second = await start();
    expect(second).not.toBe(first);
    expect((await service.request('GET /v1/store/orders', { key: second })).json()).toHaveLength(39);
    expect(statSync(join(folder.path, 'production.demo-key')).mode & 0o777).toBe(0o600);
  });

  it('without a folder gets a further key at every start, all for one store, all working', async () => {
    await using service = await startService(engine);
    const { db, writer } = service.deployment;
    const starts = Array.from(
      { length: 5 },
      () =>
        ensureDemonstrationKey(
          { name: 'production', db, writer },
          { ...config, database: 'postgres:' },
        ) as Promise<string>,
    );
    const keys = new Set(await Promise.all(starts));
    expect(keys.size).toBe(5);
    const [first] = keys;
    await service.request('DELETE /v1/store/orders/2', { key: first });
    for (const key of keys) {
      expect((await service.request('GET /v1/store/orders', { key })).json()).toHaveLength(39);
    }
    expect(await service.database.rows('SELECT id FROM stores')).toHaveLength(1);
  });
});
