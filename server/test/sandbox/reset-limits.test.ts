import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { eraseStore } from '../../src/stores/end-stores.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { openSocket } from '../support/http.ts';
import { startService, type TestStore, useService } from '../support/service.ts';
import { clientOf } from '../support/v2.ts';
import { withTimeouts } from '../support/with-timeouts.ts';
import { requestText, staging } from './support.ts';

const LARGE = { dataSet: 'large', orders: 1_000_000 };

describe.each(engines)('resets on $name', (engine) => {
  const service = useService(engine, staging);
  const reset = (store: TestStore, body: object) =>
    clientOf(service(), store)('POST /v2/sandbox/reset', { body });
  /** Prepared stores that are not abandoned; replaced stores can be read for another minute. */
  const prepared = () =>
    service().database.rows(`SELECT id FROM stores WHERE closed_at > ${Date.now() + 120_000}`);

  /** A large reset of the store, under way. */
  async function begin(store: TestStore, body: object = LARGE): Promise<Socket> {
    const others = (await prepared()).length;
    const socket = await openSocket(service().port);
    socket.write(requestText('POST /v2/sandbox/reset', store, [], JSON.stringify(body)));
    await expect.poll(async () => (await prepared()).length).toBe(others + 1);
    return socket;
  }

  it('of few orders do not wait for large ones, which run one at a time, and end when their client leaves', async () => {
    const [store, other] = [await service().openStore(), await service().openStore()];
    const socket = await begin(store);
    for (const body of [{ dataSet: 'large', orders: 1000 }, { dataSet: 'int64' }, { dataSet: 'default' }])
      expect((await reset(other, body)).status).toBe(200);
    expect((await reset(store, { dataSet: 'empty' })).status).toBe(503);
    expect(socket.bytesRead).toBe(0);
    socket.destroy();
    await expect.poll(prepared).toEqual([]);
    await expect.poll(async () => (await reset(store, { dataSet: 'empty' })).status).toBe(200);
    expect(service().log.join('')).not.toContain('"level":"error"');
  });

  it.runIf(anyEngine.includes(engine)).each([
    ['more than 1,000', 8, { dataSet: 'large', orders: 100_000 }],
    ['more than 100,000', 4, LARGE],
  ])('of %s orders are limited to %i at a time, across stores', async (_, count, body) => {
    const sockets: Socket[] = [];
    for (let i = 0; i < count; i++) sockets.push(await begin(await service().openStore(), body));
    const last = await service().openStore();
    {
      using _ = withTimeouts({ acquireTimeoutMs: 1 });
      expect((await reset(last, body)).status).toBe(503);
    }
    expect((await reset(last, { dataSet: 'large', orders: 1000 })).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await expect.poll(prepared).toEqual([]);
  });

  it.runIf(anyEngine.includes(engine))(
    'of many orders do not wait for those of more than 100,000',
    async () => {
      const sockets: Socket[] = [];
      for (let i = 0; i < 4; i++) sockets.push(await begin(await service().openStore()));
      using _ = withTimeouts({ acquireTimeoutMs: 1 });
      const body = { dataSet: 'large', orders: 1_001 };
      expect((await reset(await service().openStore(), body)).status).toBe(200);
      for (const socket of sockets) socket.destroy();
      await expect.poll(prepared).toEqual([]);
    },
  );

  it('that are rejected late erase their prepared rows immediately', async () => {
    const store = await service().openStore();
    const resetting = reset(store, LARGE);
    await expect.poll(async () => (await prepared()).length).toBe(1);
    await service().database.exec(`UPDATE stores SET closed_at = 1 WHERE id = ${store.storeId}`);
    expect((await resetting).status).toBe(503);
    await expect.poll(prepared).toEqual([]);
    const toErase = () => service().database.rows(`SELECT id FROM stores WHERE closed_at <= ${Date.now()}`);
    await expect.poll(toErase).toEqual([]);
  });

  it('end if a replica whose clock is ahead erases their preparation: no store is incomplete', async () => {
    const { database, deployment, openStore } = service();
    const store = await openStore();
    const resetting = reset(store, { dataSet: 'large', orders: 100_000 });
    const many = `SELECT store_id FROM orders WHERE store_id IN
      (SELECT id FROM stores WHERE closed_at > ${Date.now() + 120_000}) GROUP BY store_id HAVING count(*) > 2000`;
    await expect.poll(() => database.rows(many), { interval: 5 }).toHaveLength(1);
    const [beingPrepared] = await database.rows(many);
    const begun = await deployment.writer.apply(eraseStore, { storeId: beingPrepared?.store_id as bigint });
    expect(begun).toEqual({ erased: false });
    expect((await resetting).status).toBe(503);
  });

  it.runIf(anyEngine.includes(engine))('are limited to a store’s order limit', async () => {
    await using limited = await startService(engine, { ...staging, quotas: { orders: 100n } });
    const client = clientOf(limited, await limited.openStore());
    const large = (orders: number) =>
      client('POST /v2/sandbox/reset', { body: { dataSet: 'large', orders } });
    const rejected = await large(5000);
    expect([rejected.status, rejected.error().code]).toEqual([409, 'order_limit_reached']);
    expect((await large(100)).status).toBe(200);
    const order = await client('POST /v2/store/orders', { body: { petId: 1, quantity: 1 } });
    expect([order.status, order.error().code]).toEqual([409, 'order_limit_reached']);
  });
});
