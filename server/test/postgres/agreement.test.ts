import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { revokeKey } from '../../src/keys/manage-keys.ts';
import { postgres } from '../support/engines.ts';
import { startService, type TestService } from '../support/service.ts';
import { listedIds, placeOrder, sendRequest } from './support/requests.ts';

describe('two replicas on one PostgreSQL', () => {
  let one: TestService;
  let two: TestService;
  beforeAll(async () => {
    one = await startService(postgres);
    two = await startService(postgres, { database: one.database });
  });
  afterAll(async () => {
    await two[Symbol.asyncDispose]();
    await one[Symbol.asyncDispose]();
  });

  it('each list changes that the other has just acknowledged', async () => {
    const { key } = await one.openStore();
    for (const id of [2, 4, 6, 8, 10, 12, 14, 16, 18, 20]) {
      const [here, there] = id % 4 === 0 ? [one, two] : [two, one];
      expect((await sendRequest(here, `DELETE /v1/store/orders/${id}`, key)).status).toBe(204);
      expect(await listedIds(there, key)).not.toContain(id);
      const placed = JSON.parse((await placeOrder(here, key)).text) as { id: number };
      expect(await listedIds(there, key)).toContain(placed.id);
      const pets = (await sendRequest(here, 'GET /v1/pets', key)).text;
      expect((await sendRequest(there, 'GET /v1/pets', key)).text).toBe(pets);
    }
    expect((await sendRequest(one, 'GET /v1/store/orders', key)).text).toBe(
      (await sendRequest(two, 'GET /v1/store/orders', key)).text,
    );
  });

  it('give the same state the same ETag', async () => {
    const { key } = await one.openStore();
    await sendRequest(one, 'DELETE /v1/store/orders/2', key);
    const etag = String((await sendRequest(one, 'GET /v1/store/orders', key)).headers.get('etag'));
    const same = { headers: { 'if-none-match': etag } };
    expect((await sendRequest(two, 'GET /v1/store/orders', key, same)).status).toBe(304);
    await sendRequest(one, 'DELETE /v1/store/orders/4', key);
    expect((await sendRequest(two, 'GET /v1/store/orders', key, same)).status).toBe(200);
  });

  it('each reject a key revoked on the other', async () => {
    const { key, keyId } = await one.openStore();
    expect((await sendRequest(two, 'GET /v1/pets', key)).status).toBe(200);
    await one.deployment.writer.apply(revokeKey, { keyId, at: BigInt(Date.now()) });
    expect((await sendRequest(two, 'GET /v1/pets', key)).status).toBe(401);
    expect((await sendRequest(one, 'GET /v1/pets', key)).status).toBe(401);
  });

  it('place one order for one Idempotency-Key, whichever receives it', async () => {
    const { key, storeId } = await one.openStore();
    for (let round = 0; round < 10; round++) {
      const headers = { 'idempotency-key': `round ${round}` };
      const replies = await Promise.all([one, two, one, two].map((at) => placeOrder(at, key, headers)));
      const placed = replies.filter(({ status }) => status === 201);
      expect(new Set(placed.map(({ text }) => text)).size).toBe(1);
      expect(replies.map(({ status }) => status).every((status) => [201, 409].includes(status))).toBe(true);
    }
    const rows = await one.database.rows(
      `SELECT count(*) AS count FROM orders WHERE store_id = ${storeId} AND id > 40`,
    );
    expect(rows).toEqual([{ count: 10n }]);
  });

  it('cancel an order once under concurrent requests', async () => {
    const { key } = await one.openStore();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) => sendRequest(i % 2 ? one : two, 'DELETE /v1/store/orders/2', key)),
    );
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([204, ...Array.from({ length: 19 }, () => 404)]);
  });
});
