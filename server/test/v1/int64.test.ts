import { describe, expect, it } from 'vitest';
import { parseInt64 } from '../../src/http/encoding/int64.ts';
import { engines } from '../support/engines.ts';
import { malformedIds } from '../support/hostile.ts';
import { insertOrders, orderIds } from '../support/orders.ts';
import { useService } from '../support/service.ts';

/** Neighbors that floating point cannot distinguish, and the end of the range. */
const great = [9007199254740992n, 9007199254740993n, 9223372036854775806n, 9223372036854775807n];

describe.each(engines)('64-bit ids on $name', (engine) => {
  const service = useService(engine);

  it('are listed exactly, in order', async () => {
    const { request, openStore, database } = service();
    const store = await openStore();
    await insertOrders(database, store, great);
    const { text } = await request('GET /v1/store/orders', { key: store.key });
    for (const id of great) expect(text).toContain(`{"id":${id},"petId":1,`);
    const ids = await orderIds(service(), store);
    expect(ids).toHaveLength(44);
    expect(ids).toEqual([...ids].sort((a, b) => (a < b ? -1 : 1)));
    expect(ids).toEqual(expect.arrayContaining(great));
  });

  it.each(great)('cancelling %s cancels exactly that one', async (id) => {
    const { request, openStore, database } = service();
    const store = await openStore();
    await insertOrders(database, store, great);
    const before = await orderIds(service(), store);
    const target = `DELETE /v1/store/orders/${id}`;
    expect((await request(target, { key: store.key })).status).toBe(204);
    expect(await orderIds(service(), store)).toEqual(before.filter((other) => other !== id));
    expect((await request(target, { key: store.key })).status).toBe(404);
  });

  it('of pets are exact, too', async () => {
    const { request, openStore, database } = service();
    const { key, storeId } = await openStore();
    await database.exec(`UPDATE stores SET revision = revision + 1 WHERE id = ${storeId};
      INSERT INTO pets (store_id, id, name, category, stock, revision)
      SELECT ${storeId}, 9007199254740993, 'Great', 'whale', 1000000000, revision FROM stores WHERE id = ${storeId};
      INSERT INTO orders (store_id, id, pet_id, quantity, ship_date, status, placed_at, updated_at, revision)
      SELECT ${storeId}, 50, 9223372036854775807, 9007199254740993, 0, 'pending', 0, 0, revision FROM stores WHERE id = ${storeId}`);
    expect((await request('GET /v1/pets/9007199254740993', { key })).json()).toMatchObject({
      id: 9007199254740993n,
    });
    expect((await request('GET /v1/pets/9007199254740992', { key })).status).toBe(404);
    expect((await request('GET /v1/pets', { key })).text).toContain('{"id":9007199254740993,"name":"Great"');
    expect((await request('GET /v1/store/orders', { key })).json<unknown[]>().at(-1)).toEqual({
      id: 50n,
      petId: 9223372036854775807n,
      quantity: 9007199254740993n,
      shipDate: '1970-01-01T00:00:00.000Z',
      complete: false,
    });
  });
});

describe('parseInt64', () => {
  it('accepts exactly the plain decimal forms', () => {
    for (const id of [0n, 1n, -1n, -9223372036854775808n, ...great]) expect(parseInt64(String(id))).toBe(id);
    for (const id of malformedIds) expect([id, parseInt64(id)]).toEqual([id, undefined]);
    for (const id of ['', ' 2', '2 ', '2\n', '\u0662', '２', '9223372036854775808']) {
      expect([id, parseInt64(id)]).toEqual([id, undefined]);
    }
  });
});
