import { describe, expect, it } from 'vitest';
import { engines } from '../support/engines.ts';
import { malformedIds } from '../support/hostile.ts';
import { useService } from '../support/service.ts';
import { allPets, clientOf, etagOf, type Order, openClient } from '../support/v2.ts';

const NOW = Date.parse('2026-11-20T08:09:10.011Z');

describe.each(engines)('the orders of v2 on $name', (engine) => {
  const service = useService(engine, { now: () => NOW });

  describe('placeOrder', () => {
    it('201: the order, pending, shipped in three days by default, with its Location', async () => {
      const { client } = await openClient(service());
      const response = await client('POST /v2/store/orders', { body: { petId: 1, quantity: 2 } });
      expect(response.status).toBe(201);
      expect(response.headers.location).toBe('/v2/store/orders/41');
      expect(response.headers['idempotent-replayed']).toBeUndefined();
      expect(response.text).toBe(
        '{"id":41,"petId":1,"quantity":2,"shipDate":"2026-11-23T08:09:10.011Z","complete":false,' +
          '"status":"pending","placedAt":"2026-11-20T08:09:10.011Z","updatedAt":"2026-11-20T08:09:10.011Z"}',
      );
      expect((await client('GET /v2/store/orders/41')).text).toBe(response.text);
      expect((await client('GET /v2/store/orders')).json<{ data: Order[] }>().data.at(-1)?.id).toBe(41n);
    });

    it.each([
      ['2027-01-02T03:04:05Z', '2027-01-02T03:04:05.000Z'],
      ['2027-01-02t03:04:05.6z', '2027-01-02T03:04:05.600Z'],
      ['2027-01-02T03:04:05.123456789Z', '2027-01-02T03:04:05.123Z'],
      ['2027-01-02T03:04:05.1239999999999Z', '2027-01-02T03:04:05.123Z'],
      ['2027-01-02T03:04:05+05:30', '2027-01-01T21:34:05.000Z'],
      ['2027-01-02T03:04:05-23:59', '2027-01-03T03:03:05.000Z'],
      ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
      ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
      ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
      ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ])('201: the ship date %s is stored as %s', async (shipDate, stored) => {
      const { client } = await openClient(service());
      const response = await client('POST /v2/store/orders', { body: { petId: 5, quantity: 1, shipDate } });
      expect([response.status, response.json<Order>().shipDate]).toEqual([201, stored]);
    });

    it('201: takes units from the stock; 409 insufficient_stock if there are too few, and takes none', async () => {
      const { client } = await openClient(service());
      const place = (quantity: number) => client('POST /v2/store/orders', { body: { petId: 11, quantity } });
      expect((await place(5)).error()).toMatchObject({ code: 'insufficient_stock', status: 409n });
      expect((await place(3)).status).toBe(201);
      expect((await place(2)).status).toBe(409);
      expect((await place(1)).status).toBe(201);
      expect((await client('GET /v2/pets/11')).json()).toMatchObject({ stock: 0n, status: 'sold' });
      expect((await place(1)).status).toBe(409);
    });

    it('422 unknown_pet: a missing pet, another store’s, or the largest ID', async () => {
      const { client } = await openClient(service());
      const other = await openClient(service());
      await other.client('POST /v2/pets', { body: { name: 'Luna', category: 'cat', stock: 3 } });
      for (const petId of [13n, 0n, -1n, 9223372036854775807n, -9223372036854775808n]) {
        const response = await client('POST /v2/store/orders', { body: { petId, quantity: 1 } });
        expect(response.error()).toMatchObject({ code: 'unknown_pet', status: 422n });
      }
    });

    it('changes nothing when it rejects', async () => {
      const { client } = await openClient(service());
      const before = await etagOf(client);
      await client('POST /v2/store/orders', { body: { petId: 12, quantity: 1 } });
      await client('POST /v2/store/orders', { body: { petId: 99, quantity: 1 } });
      expect(await etagOf(client)).toBe(before);
    });
  });

  describe('getOrder and getOrderHistory', () => {
    it('200: an order in each of its states, and its full history', async () => {
      const { client } = await openClient(service());
      expect((await client('GET /v2/store/orders/2/history')).text).toBe(
        '{"data":[{"status":"pending","at":"2026-09-03T23:34:00.000Z"}]}',
      );
      const shipped = await client('POST /v2/store/orders/2/ship');
      expect(shipped.json()).toMatchObject({
        id: 2n,
        status: 'shipped',
        complete: false,
        shipDate: '2026-11-20T08:09:10.011Z',
        placedAt: '2026-09-03T23:34:00.000Z',
        updatedAt: '2026-11-20T08:09:10.011Z',
      });
      expect((await client('GET /v2/store/orders/2')).text).toBe(shipped.text);
      const delivered = await client('POST /v2/store/orders/2/deliver');
      expect(delivered.json()).toMatchObject({ status: 'delivered', complete: true });
      expect((await client('GET /v2/store/orders/2/history')).json()).toEqual({
        data: [
          { status: 'pending', at: '2026-09-03T23:34:00.000Z' },
          { status: 'shipped', at: '2026-11-20T08:09:10.011Z' },
          { status: 'delivered', at: '2026-11-20T08:09:10.011Z' },
        ],
      });
    });

    it('200: a cancelled order, with its expected ship date', async () => {
      const { client } = await openClient(service());
      expect((await client('DELETE /v2/store/orders/2')).status).toBe(204);
      const response = await client('GET /v2/store/orders/2');
      expect(response.json()).toMatchObject({ status: 'cancelled', shipDate: '2026-12-07T10:00:00.000Z' });
      expect((await client('GET /v2/store/orders/2/history')).json<{ data: object[] }>().data).toHaveLength(
        2,
      );
    });

    it('304: while the store is unchanged', async () => {
      const { client } = await openClient(service());
      for (const path of ['/v2/store/orders/4', '/v2/store/orders/4/history']) {
        const { headers } = await client(`GET ${path}`);
        const again = { headers: { 'if-none-match': headers.etag } };
        expect((await client(`GET ${path}`, again)).status).toBe(304);
        await client('POST /v2/pets', { body: { name: 'Luna', category: 'cat' } });
        expect((await client(`GET ${path}`, again)).status).toBe(200);
      }
      const nowhere = await client('GET /v2/store/orders/99', { headers: { 'if-none-match': '*' } });
      expect(nowhere.status).toBe(404);
    });
  });

  it('returns the stock when an order is cancelled, in v2 as in v1', async () => {
    const { client } = await openClient(service());
    const before = await allPets(client);
    for (const version of ['v1', 'v2']) {
      const { headers } = await client('POST /v2/store/orders', { body: { petId: 3, quantity: 7 } });
      expect((await client('GET /v2/pets/3')).json()).toMatchObject({ stock: 11n });
      await client(`DELETE ${headers.location?.replace('v2', version)}`);
      expect(await allPets(client)).toEqual(before);
    }
  });

  const operations = ['GET ', 'DELETE ', 'GET /history', 'POST /ship', 'POST /deliver'].map((operation) => {
    const [method, tail] = operation.split(' ');
    return { operation, to: (id: string) => `${method} /v2/store/orders/${id}${tail}` };
  });
  it.each(operations)(
    '404: $operation of a missing order, another store’s, or an invalid ID',
    async ({ to }) => {
      const { client } = await openClient(service());
      const other = await openClient(service());
      await other.client('POST /v2/store/orders', { body: { petId: 1, quantity: 1 } });
      const missing = await client(to('999'));
      expect(missing.error()).toMatchObject({ code: 'not_found', status: 404n });
      expect((await client(to('41'))).text).toBe(missing.text);
      for (const id of malformedIds) expect([id, (await client(to(id))).status]).toEqual([id, 404]);
    },
  );

  it.each(operations)('401 before anything else: $operation without a key', async ({ to }) => {
    const client = clientOf(service(), { key: 'nobody' });
    expect((await client(to('2'))).status).toBe(401);
    expect((await client(to('abc'))).status).toBe(401);
  });

  it('405 with Allow: methods without an operation', async () => {
    const { client } = await openClient(service());
    const allowed = {
      '/v2/store/orders': 'GET, HEAD, QUERY, POST',
      '/v2/store/orders/2': 'GET, HEAD, DELETE',
      '/v2/store/orders/2/ship': 'POST',
      '/v2/store/orders/2/deliver': 'POST',
      '/v2/store/orders/2/history': 'GET, HEAD',
      '/v2/pets': 'GET, HEAD, POST',
      '/v2/pets/2': 'GET, HEAD, PATCH',
    };
    for (const [path, allow] of Object.entries(allowed)) {
      const response = await client(`PUT ${path}`, { body: '{' });
      expect([path, response.status, response.headers.allow]).toEqual([path, 405, allow]);
    }
  });

  it('HEAD: the headers of GET and no body', async () => {
    const { client } = await openClient(service());
    for (const path of ['/v2/store/orders?limit=1', '/v2/store/orders/2', '/v2/store/orders/2/history']) {
      const [head, get] = [await client(`HEAD ${path}`), await client(`GET ${path}`)];
      expect([head.status, head.headers['content-length'], head.headers.etag]).toEqual([
        200,
        String(Buffer.byteLength(get.text)),
        get.headers.etag,
      ]);
    }
  });
});
