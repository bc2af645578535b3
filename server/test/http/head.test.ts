import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { insertOrders } from '../support/orders.ts';
import { useService } from '../support/service.ts';

describe.each(anyEngine)('HEAD on $name', (engine) => {
  const service = useService(engine);

  it.each(['/v1/store/orders', '/v1/pets', '/v1/pets/1', '/v1/pets/13', '/v1/nothing'])(
    'responds to %s like GET, without the body',
    async (path) => {
      const { request, openStore } = service();
      for (const key of [(await openStore()).key, undefined]) {
        const get = await request(`GET ${path}`, { key });
        const head = await request(`HEAD ${path}`, { key });
        expect(head.status).toBe(get.status);
        expect(head.text).toBe('');
        for (const name of [
          'content-type',
          'content-length',
          'etag',
          'cache-control',
          'vary',
          'deprecation',
        ]) {
          expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
        }
      }
    },
  );

  it('has the length of a list too large for one chunk, and the connection stays open', async () => {
    const { request, openStore, database } = service();
    const store = await openStore();
    await insertOrders(
      database,
      store,
      Array.from({ length: 4_000 }, (_, i) => BigInt(i + 100)),
    );
    const get = await request('GET /v1/store/orders', { key: store.key });
    const head = await request('HEAD /v1/store/orders', { key: store.key });
    expect(Number(head.headers['content-length'])).toBe(get.bytes.length);
    const zipped = { key: store.key, headers: { 'accept-encoding': 'gzip' } };
    expect((await request('HEAD /v1/store/orders', zipped)).status).toBe(200);
    expect((await request('GET /v1/pets', { key: store.key })).status).toBe(200);
  });
});
