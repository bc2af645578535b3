import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkAgainstContract } from '../support/contract.ts';
import { anyEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';

describe.each(anyEngine)('the document on $name', (engine) => {
  const service = useService(engine);

  it('is served as identical JSON and YAML, without a key', async () => {
    const { request } = service();
    const json = await request('GET /v1/openapi.json');
    const yaml = await request('GET /v1/openapi.yaml');
    expect(json.headers['content-type']).toMatch(/^application\/json/);
    expect(yaml.headers['content-type']).toMatch(/yaml/);
    const document = JSON.parse(json.text);
    expect(parse(yaml.text)).toEqual(document);
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } });
    expect(document.servers).toEqual([{ url: 'http://127.0.0.1/v1', description: 'production' }]);
    expect(document.info.contact.url).toBe('http://127.0.0.1/');
    expect(document.externalDocs.url).toBe('http://127.0.0.1/docs');
    expect((await request('HEAD /v1/openapi.json')).status).toBe(200);
  });

  it('lists exactly the four operations of v1', async () => {
    const { paths } = JSON.parse((await service().request('GET /v1/openapi.json')).text);
    const operations = Object.entries<Record<string, { operationId: string; deprecated?: boolean }>>(
      paths,
    ).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId, deprecated = false }]) => ({
        operationId,
        deprecated,
        target: `${method} ${path}`,
      })),
    );
    expect(operations).toEqual([
      { operationId: 'listOrders', deprecated: false, target: 'get /store/orders' },
      { operationId: 'cancelOrder', deprecated: false, target: 'delete /store/orders/{orderId}' },
      { operationId: 'listPets', deprecated: false, target: 'get /pets' },
      { operationId: 'getPet', deprecated: true, target: 'get /pets/{petId}' },
    ]);
  });

  it('/docs loads nothing from other hosts', async () => {
    const { request } = service();
    const moved = await request('GET /docs/');
    expect(moved.status).toBe(200);
    expect(moved.headers['content-type']).toMatch(/^text\/html/);
    const otherPlace = [...moved.text.matchAll(/(?:src|href)="(https?:)?\/\/[^"]*"/g)].map(
      ([match]) => match,
    );
    expect(otherPlace).toEqual([]);
    expect(moved.text).toContain('/v1/openapi.json');
  });
});

describe('the schema check on every response in these tests', () => {
  const headers = {
    'x-request-id': 'x',
    etag: 'W/"x"',
    'cache-control': 'private, no-cache',
    'content-type': 'application/json',
  };
  const order = { id: 1, petId: 2, quantity: 3, shipDate: '2026-12-07T10:00:00.000Z', complete: false };
  const seen = (body: unknown, status = 200, more: object = {}) => ({
    status,
    headers: { ...headers, ...more },
    text: JSON.stringify(body),
  });
  const check = (response: ReturnType<typeof seen>, target = '/v1/store/orders') =>
    checkAgainstContract('GET', target, response);

  it('accepts a documented response', () => {
    expect(() => check(seen([order]))).not.toThrow();
  });

  it.each([
    ['a field too many', seen([{ ...order, status: 'pending' }])],
    ['a date without milliseconds', seen([{ ...order, shipDate: '2026-12-07T10:00:00Z' }])],
    ['an id that is text', seen([{ ...order, id: '1' }])],
    ['an object in place of the list', seen({ data: [order] })],
    ['a status that is not documented', seen({ code: 'x', message: 'x', status: 404 }, 404)],
    ['an error without its status', seen({ code: 'x', message: 'x' }, 401, { 'www-authenticate': 'x' })],
    [
      'an error with another status',
      seen({ code: 'x', message: 'x', status: 400 }, 401, { 'www-authenticate': 'x' }),
    ],
    ['a 401 without a challenge', seen({ code: 'x', message: 'x', status: 401 }, 401)],
    ['another content type', seen([order], 200, { 'content-type': 'text/plain' })],
    ['no tag', seen([order], 200, { etag: undefined })],
    ['no request id', seen([order], 200, { 'x-request-id': undefined })],
    ['a body on 304', seen([order], 304)],
  ])('rejects %s', (_, response) => {
    expect(() => check(response)).toThrow(/^GET \/v1\/store\/orders returned/);
  });

  it.each([
    ['GET', '/v1/store/nothing', 200],
    ['POST', '/v1/pets', 201],
    ['POST', '/v2/webhooks/w/deliveries/1/redeliver', 418],
  ])('rejects an undocumented response: %s %s with %i', (method, target, status) => {
    const response = seen({ code: 'x', message: 'x', status }, status);
    expect(() => checkAgainstContract(method, target, response)).toThrow(/ not documented$/);
  });
});
