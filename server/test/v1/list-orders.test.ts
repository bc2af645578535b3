import { describe, expect, it } from 'vitest';
import { deliverOrder, shipOrder } from '../../src/orders/change-status.ts';
import { engines } from '../support/engines.ts';
import { insertOrders, listOrders, orderIds } from '../support/orders.ts';
import { useService } from '../support/service.ts';

describe.each(engines)('listOrders on $name', (engine) => {
  const service = useService(engine);

  it('200: all orders in one array by ascending ID, each with exactly its five fields in order', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    const response = await request('GET /v1/store/orders', { key });
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('application/json');
    const orders = response.json<object[]>();
    expect(orders).toHaveLength(40);
    for (const [index, order] of orders.entries()) {
      expect(Object.keys(order)).toEqual(['id', 'petId', 'quantity', 'shipDate', 'complete']);
      expect(order).toMatchObject({ id: BigInt(index + 1) });
    }
    expect(
      response.text.startsWith(
        '[{"id":1,"petId":6,"quantity":3,"shipDate":"2026-09-04T17:30:00.000Z","complete":true},',
      ),
    ).toBe(true);
  });

  it('200: a list without orders is an empty array', async () => {
    const { request, openStore, database } = service();
    const { key, storeId } = await openStore();
    await database.exec(`DELETE FROM orders WHERE store_id = ${storeId}`);
    expect((await request('GET /v1/store/orders', { key })).text).toBe('[]');
  });

  it('200: ignores every query parameter', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    const plain = await request('GET /v1/store/orders', { key });
    const queries = [
      '?',
      '?limit=1',
      '?status=pending&page=2',
      '?limit=-1&limit=x',
      '?%00',
      '?%zz',
      '?a=b?c=d',
      '?=&&=',
    ];
    for (const query of queries) {
      const response = await request(`GET /v1/store/orders${query}`, { key });
      expect([query, response.status, response.text]).toEqual([query, 200, plain.text]);
    }
  });

  it('200: shows the actual ship date once shipped, and complete once delivered', async () => {
    const { openStore, deployment } = service();
    const store = await openStore();
    const at = Date.parse('2026-11-20T08:09:10.011Z');
    const change = { storeId: store.storeId, orderId: 2n };
    const order = async () => (await listOrders(service(), store)).find(({ id }) => id === 2n);
    expect(await order()).toMatchObject({ shipDate: '2026-12-07T10:00:00.000Z', complete: false });
    await deployment.writer.apply(shipOrder, { ...change, at: BigInt(at) });
    expect(await order()).toMatchObject({ shipDate: '2026-11-20T08:09:10.011Z', complete: false });
    await deployment.writer.apply(deliverOrder, { ...change, at: BigInt(at + 1000) });
    expect(await order()).toMatchObject({ shipDate: '2026-11-20T08:09:10.011Z', complete: true });
  });

  it('200: includes every change that was acknowledged before', async () => {
    const { request, openStore, database } = service();
    const store = await openStore();
    let expected = await orderIds(service(), store);
    for (let id = 100n; id < 120n; id++) {
      await insertOrders(database, store, [id]);
      expected = [...expected, id];
      expect(await orderIds(service(), store)).toEqual(expected);
      if (id % 2n === 0n) continue;
      await request(`DELETE /v1/store/orders/${id}`, { key: store.key });
      expected = expected.filter((other) => other !== id);
      expect(await orderIds(service(), store)).toEqual(expected);
    }
  });

  it('200: shows only orders of the key’s store', async () => {
    const { openStore, database } = service();
    const [one, other] = [await openStore(), await openStore()];
    await insertOrders(database, one, [1000n]);
    expect(await orderIds(service(), one)).toContain(1000n);
    expect(await orderIds(service(), other)).not.toContain(1000n);
  });

  it('200: includes a change even if many others happened since the last list', async () => {
    const { openStore, database } = service();
    const store = await openStore();
    const before = await orderIds(service(), store);
    await database.exec(`UPDATE stores SET revision = revision + 1000000 WHERE id = ${store.storeId}`);
    await insertOrders(database, store, [1000n]);
    expect(await orderIds(service(), store)).toEqual([...before, 1000n]);
  });

  it('200: is sent compactly: many thousand orders arrive complete', async () => {
    const { openStore, database } = service();
    const store = await openStore();
    const ids = Array.from({ length: 6_000 }, (_, i) => BigInt(i + 100));
    const before = await orderIds(service(), store);
    await insertOrders(database, store, ids);
    expect(await orderIds(service(), store)).toEqual([...before, ...ids]);
  });
});
