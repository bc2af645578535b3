import { METHODS } from 'node:http';
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { orderIds } from '../support/orders.ts';
import { useService } from '../support/service.ts';

const resources = {
  '/v1/store/orders': 'GET, HEAD',
  '/v1/store/orders/2': 'DELETE',
  '/v1/store/orders/41': 'DELETE',
  '/v1/store/orders/abc': 'DELETE',
  '/v1/pets': 'GET, HEAD',
  '/v1/pets/1': 'GET, HEAD',
  '/v1/pets/abc': 'GET, HEAD',
};

const methods = METHODS.filter((method) => method !== 'CONNECT' && method !== 'HEAD');

describe.each(anyEngine)('methods and paths on $name', (engine) => {
  const service = useService(engine);

  it.each(Object.entries(resources))(
    '405: %s allows %s, and rejects every other method with Allow',
    async (path, allow) => {
      const { request, openStore } = service();
      const store = await openStore();
      const others = METHODS.filter((method) => !allow.split(', ').includes(method) && method !== 'CONNECT');
      for (const method of others) {
        const response = await request(`${method} ${path}`, { key: store.key });
        expect([method, response.status, response.headers.allow]).toEqual([method, 405, allow]);
        if (method !== 'HEAD')
          expect(response.json()).toMatchObject({ code: 'method_not_allowed', status: 405n });
      }
      expect(await orderIds(service(), store)).toHaveLength(40);
    },
  );

  it('405: with any kind of body, too', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    for (const type of ['application/json', 'text/plain', 'multipart/form-data', 'nonsense', '']) {
      const sent = { key, headers: { 'content-type': type }, body: '{"broken' };
      expect((await request('POST /v1/store/orders', sent)).status).toBe(405);
    }
  });

  it('404: every other path, with any method', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    const paths = [
      '/v1',
      '/v1/',
      '/v1/store',
      '/v1/store/',
      '/v1/store/orders/',
      '/v1/store/orders/1/',
      '/v1/store/orders/1/items',
      '/v1/store/orders//',
      '/v1//pets',
      '/v1/pets/',
      '/v1/pets/1/',
      '/v1/PETS',
      '/v1/Store/Orders',
      '/v1/orders',
      '/v1/store/orders.json',
      '/v1/%zz',
      '/v1/pets%00',
      '/v1/v1/pets',
      '/v1/__proto__',
    ];
    for (const path of paths) {
      for (const method of methods) {
        const response = await request(`${method} ${path}`, { key });
        expect([method, path, response.status, response.json()]).toMatchObject([
          method,
          path,
          404,
          { code: 'not_found' },
        ]);
      }
    }
  });

  it('404: a path outside the base address, no key needed', async () => {
    const { request } = service();
    for (const path of [
      '/pets',
      '/store/orders',
      '/v3/pets',
      '/v1x',
      '/V1/pets',
      '/favicon.ico',
      '//',
      '/%zz',
    ]) {
      for (const method of methods) {
        const response = await request(`${method} ${path}`);
        expect([method, path, response.status, response.json()]).toMatchObject([
          method,
          path,
          404,
          { code: 'not_found', status: 404n },
        ]);
      }
    }
  });

  it('404: such a path with a body of the wrong type, too', async () => {
    const { request } = service();
    for (const type of ['application/json', 'text/plain', 'text/csv', 'nonsense', '']) {
      const sent = { headers: { 'content-type': type }, body: '{"broken' };
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'QUERY']) {
        expect([method, type, (await request(`${method} /nothing`, sent)).status]).toEqual([
          method,
          type,
          404,
        ]);
      }
    }
  });
});
