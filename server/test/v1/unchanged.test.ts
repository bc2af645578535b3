import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { v1Document } from '../../src/v1/document.ts';
import { engines } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { type Order, openClient } from '../support/v2.ts';

describe.each(engines)('v1 next to v2 on $name', (engine) => {
  const service = useService(engine);

  it('returns exactly its own fields of resources created in v2', async () => {
    const { client } = await openClient(service());
    await client('POST /v2/pets', { body: { name: 'Luna', category: 'cat', stock: 9 } });
    await client('POST /v2/store/orders', {
      body: { petId: 13, quantity: 4, shipDate: '2027-03-04T05:06:07.089+02:00' },
    });
    expect((await client('GET /v1/store/orders')).text).toMatch(
      /,\{"id":41,"petId":13,"quantity":4,"shipDate":"2027-03-04T03:06:07.089Z","complete":false\}\]$/,
    );
    expect((await client('GET /v1/pets')).text).toMatch(
      /,\{"id":13,"name":"Luna","category":"cat","status":"available"\}\]$/,
    );
    expect((await client('GET /v1/pets/13')).text).toBe(
      '{"id":13,"name":"Luna","category":"cat","status":"available"}',
    );
  });

  it('ignores a new column of orders and pets', async () => {
    const { client } = await openClient(service());
    const { database } = service();
    const paths = ['GET /v1/store/orders', 'GET /v1/pets', 'GET /v1/pets/1'];
    const before = await Promise.all(paths.map(async (path) => (await client(path)).text));
    for (const table of ['orders', 'pets'])
      await database.rows(`ALTER TABLE ${table} ADD COLUMN colour TEXT NOT NULL DEFAULT 'brown'`);
    // Changed, so that no list is served from the cache.
    await client('POST /v2/store/orders', { body: { petId: 1, quantity: 1 } });
    await client('POST /v2/pets', { body: { name: 'Luna', category: 'cat' } });
    const after = await Promise.all(paths.map(async (path) => (await client(path)).text));
    for (const [i, text] of after.entries()) expect(text).toContain(before[i]?.slice(0, -1));
    expect(after.join()).not.toContain('colour');
  });

  it('does not have the operations of v2', async () => {
    const { client } = await openClient(service());
    const body = { petId: 1, quantity: 1 };
    expect((await client('POST /v1/store/orders', { body })).status).toBe(405);
    expect((await client('GET /v1/store/orders/2')).status).toBe(405);
    expect((await client('PATCH /v1/pets/1', { body: { stock: 1 } })).status).toBe(405);
    for (const path of ['POST /v1/store/orders/2/ship', 'GET /v1/store/orders/2/history']) {
      expect((await client(path)).status).toBe(404);
    }
  });

  it('does not list orders cancelled by v2, and responds as before to those shipped or delivered by v2', async () => {
    const { client } = await openClient(service());
    await client('DELETE /v2/store/orders/2');
    await client('POST /v2/store/orders/4/ship');
    await client('POST /v2/store/orders/6/ship');
    await client('POST /v2/store/orders/6/deliver');
    const ids = (await client('GET /v1/store/orders')).json<Order[]>().map(({ id }) => id);
    expect(ids).not.toContain(2n);
    const missing = await client('DELETE /v1/store/orders/999');
    expect((await client('DELETE /v1/store/orders/2')).text).toBe(missing.text);
    for (const id of [4, 6]) {
      expect((await client(`DELETE /v1/store/orders/${id}`)).error().code).toBe('order_already_shipped');
    }
  });

  it('ignores v2’s headers and parameters', async () => {
    const { client } = await openClient(service());
    const plain = await client('GET /v1/store/orders');
    const filtered = await client('GET /v1/store/orders?status=pending&limit=1&cursor=x', {
      headers: { 'idempotency-key': 'a' },
    });
    expect([filtered.text, filtered.headers.link]).toEqual([plain.text, undefined]);
  });

  it('links its deprecated operation to v2’s', async () => {
    const { client } = await openClient(service());
    for (const path of ['/v1/pets/3', '/%76%31/pets/3']) {
      const { headers } = await client(`GET ${path}`);
      const successor = /<([^>]+)>; rel="successor-version"/.exec(String(headers.link))?.[1];
      expect(successor).toBe('/v2/pets/3');
      expect((await client(`GET ${successor}`)).json()).toMatchObject({ id: 3n, stock: 18n });
    }
  });
});

describe('the document of v1', () => {
  it('is the committed one', () => {
    const committed = readFileSync(new URL('../../../contract/v1.yaml', import.meta.url), 'utf8');
    expect(JSON.parse(JSON.stringify(v1Document))).toEqual(parse(committed));
  });

  it('has four operations and nothing of v2', () => {
    const operations = Object.values(v1Document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(operations).toEqual(['listOrders', 'cancelOrder', 'listPets', 'getPet']);
    for (const word of ['placedAt', 'updatedAt', 'stock', 'cursor', 'x-stability', 'Idempotency']) {
      expect(JSON.stringify(v1Document)).not.toContain(`"${word}`);
    }
  });
});
