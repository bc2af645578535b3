import { describe, expect, it } from 'vitest';
import { deliverOrder, shipOrder } from '../../src/orders/change-status.ts';
import { engines } from '../support/engines.ts';
import { malformedIds } from '../support/hostile.ts';
import { essence } from '../support/http.ts';
import { idsWithStatus, listOrders, orderIds } from '../support/orders.ts';
import { useService } from '../support/service.ts';

describe.each(engines)('cancelOrder on $name', (engine) => {
  const service = useService(engine);

  it('204: a pending order is cancelled, and no longer listed', async () => {
    const { request, openStore } = service();
    const store = await openStore();
    const before = await listOrders(service(), store);
    const response = await request('DELETE /v1/store/orders/2', { key: store.key });
    expect(response.status).toBe(204);
    expect(response.text).toBe('');
    expect(response.headers['content-type']).toBeUndefined();
    expect(await listOrders(service(), store)).toEqual(before.filter(({ id }) => id !== 2n));
  });

  it('204: returns the units to the stock, and records the time in the history', async () => {
    const { request, openStore, database } = service();
    const { key, storeId } = await openStore();
    const stock = async () =>
      (await database.rows(`SELECT stock FROM pets WHERE store_id = ${storeId} AND id = 11`))[0]?.stock;
    expect(await stock()).toBe(4n);
    await request('DELETE /v1/store/orders/2', { key });
    expect(await stock()).toBe(9n);
    const history = await request('GET /v2/store/orders/2/history', { key });
    const { data } = history.json<{ data: Array<{ status: string }> }>();
    expect(data.map(({ status }) => status)).toEqual(['pending', 'cancelled']);
  });

  it('404: a second time', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    await request('DELETE /v1/store/orders/2', { key });
    const response = await request('DELETE /v1/store/orders/2', { key });
    expect(response.status).toBe(404);
    expect(response.json()).toMatchObject({ code: 'not_found' });
  });

  it('404: a missing order', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    for (const id of ['0', '41', '-1', '9223372036854775807', '-9223372036854775808']) {
      expect((await request(`DELETE /v1/store/orders/${id}`, { key })).status).toBe(404);
    }
  });

  it('404: text that is not a plain decimal int64 never matches an order', async () => {
    const { request, openStore } = service();
    const store = await openStore();
    const before = await orderIds(service(), store);
    const missing = await request('DELETE /v1/store/orders/41', { key: store.key });
    for (const id of malformedIds) {
      const response = await request(`DELETE /v1/store/orders/${id}`, { key: store.key });
      expect([id, response.status, response.text]).toEqual([id, 404, missing.text]);
    }
    expect(await orderIds(service(), store)).toEqual(before);
  });

  it("404: someone else's order, with the same bytes as a missing one", async () => {
    const { request, openStore, database } = service();
    const [mine, theirs] = [await openStore(), await openStore()];
    await database.exec(`DELETE FROM orders WHERE store_id = ${mine.storeId} AND id = 2`);
    const missing = await request('DELETE /v1/store/orders/41', { key: mine.key });
    const foreign = await request('DELETE /v1/store/orders/2', { key: mine.key });
    expect(foreign.status).toBe(404);
    expect(essence(foreign)).toEqual(essence(missing));
    expect(await orderIds(service(), theirs)).toContain(2n);
  });

  it('409: a shipped and a delivered order stay unchanged', async () => {
    const { request, openStore, deployment } = service();
    const store = await openStore();
    const [shipped, delivered] = (await idsWithStatus(service(), store, 'pending')) as [bigint, bigint];
    const move = (verb: typeof shipOrder | typeof deliverOrder, orderId: bigint) =>
      deployment.writer.apply(verb, { storeId: store.storeId, orderId, at: BigInt(Date.now()) });
    await move(shipOrder, shipped);
    await move(shipOrder, delivered);
    await move(deliverOrder, delivered);
    const before = await listOrders(service(), store);
    for (const id of [shipped, delivered]) {
      const response = await request(`DELETE /v1/store/orders/${id}`, { key: store.key });
      expect(response.status).toBe(409);
      expect(response.json()).toMatchObject({ code: 'order_already_shipped', status: 409n });
    }
    expect(await listOrders(service(), store)).toEqual(before);
  });

  it('409: every initial order that is not pending', async () => {
    const { request, openStore } = service();
    const store = await openStore();
    for (const status of ['shipped', 'delivered']) {
      for (const id of await idsWithStatus(service(), store, status)) {
        expect((await request(`DELETE /v1/store/orders/${id}`, { key: store.key })).status).toBe(409);
      }
    }
  });

  it('accepts the ID in any encoding of the same path', async () => {
    const { request, openStore } = service();
    const store = await openStore();
    expect((await request('DELETE /v1/store/orders/%32', { key: store.key })).status).toBe(204);
    expect((await request('DELETE /v1/store/orders/4?force=true&orderId=6', { key: store.key })).status).toBe(
      204,
    );
    const ids = await orderIds(service(), store);
    expect(ids).not.toContain(2n);
    expect(ids).not.toContain(4n);
    expect(ids).toContain(6n);
  });
});
