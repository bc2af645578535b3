import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';

const origin = 'https://shop.example';
const list = (header: string | undefined) => (header ?? '').toLowerCase().split(/, */);

describe.each(anyEngine)('a browser client on $name', (engine) => {
  const service = useService(engine);

  it('may read every response and the required headers', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    const requests = [
      'GET /v1/store/orders',
      'GET /v1/pets/1',
      'GET /v1/pets/13',
      'DELETE /v1/store/orders/2',
      'DELETE /v1/store/orders/1',
      'POST /v1/pets',
      'GET /v1/nothing',
      'HEAD /v1/pets',
    ];
    for (const sent of [{ key, headers: { origin } }, { key }, { headers: { origin } }]) {
      for (const target of requests) {
        const { headers } = await request(target, sent);
        expect([target, headers['access-control-allow-origin']]).toEqual([target, '*']);
        expect(list(headers['access-control-expose-headers'])).toEqual(
          expect.arrayContaining([
            'etag',
            'x-request-id',
            'www-authenticate',
            'allow',
            'retry-after',
            'deprecation',
            'sunset',
            'link',
            'ratelimit',
            'ratelimit-policy',
          ]),
        );
        expect(headers['access-control-allow-credentials']).toBeUndefined();
        expect(headers['set-cookie']).toBeUndefined();
      }
    }
  });

  it.each([
    ['/v1/store/orders', 'GET, HEAD'],
    ['/v1/store/orders/2', 'DELETE'],
    ['/v1/pets', 'GET, HEAD'],
    ['/v1/pets/1', 'GET, HEAD'],
    ['/v2/store/orders', 'GET, HEAD, QUERY, POST'],
    ['/v2/pets/1', 'GET, HEAD, PATCH'],
    ['/mcp', 'POST'],
    ['/v1/nothing', 'GET, HEAD, QUERY, POST, PUT, PATCH, DELETE'],
  ])('preflights %s without a key, and is allowed %s', async (path, methods) => {
    const { request } = service();
    for (const method of ['GET', 'DELETE', 'HEAD']) {
      const response = await request(`OPTIONS ${path}`, {
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers':
            'authorization,if-none-match,x-request-id,content-type,traceparent',
        },
      });
      expect(response.status).toBe(204);
      expect(response.headers['access-control-allow-origin']).toBe('*');
      expect(response.headers['access-control-allow-methods']).toBe(methods);
      expect(list(response.headers['access-control-allow-headers'])).toEqual(
        expect.arrayContaining([
          'authorization',
          'if-none-match',
          'x-request-id',
          'content-type',
          'traceparent',
        ]),
      );
      expect(Number(response.headers['access-control-max-age'])).toBeGreaterThan(0);
      expect(response.headers['x-request-id']).toBeDefined();
    }
  });

  it('an OPTIONS request that is not a preflight needs a key', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    expect((await request('OPTIONS /v1/pets', { headers: { origin } })).status).toBe(401);
    expect((await request('OPTIONS /v1/pets', { key, headers: { origin } })).status).toBe(405);
    const headers = { 'access-control-request-method': 'GET' };
    expect((await request('OPTIONS /v1/pets', { headers })).status).toBe(401);
  });

  it('may read the document and errors outside the base address', async () => {
    const { request } = service();
    const { headers } = await request('GET /v1/openapi.json', { headers: { origin } });
    expect(headers['access-control-allow-origin']).toBe('*');
  });
});
