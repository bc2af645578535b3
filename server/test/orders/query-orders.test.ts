import { describe, expect, it } from 'vitest';
import { createKey, fastAccounts, signUpAndIn } from '../accounts/browser.ts';
import { anyEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';

const [engine] = anyEngine as [(typeof anyEngine)[number]];
const json = { 'content-type': 'application/json' };

describe('QUERY /v2/store/orders', () => {
  const service = useService(engine, { accounts: fastAccounts });

  const query = (key: string, body: unknown, headers: Record<string, string> = {}) =>
    service().request('QUERY /v2/store/orders', {
      key,
      headers: { ...json, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it.each([
    ['', {}],
    ['status=pending,shipped&limit=3', { status: ['pending', 'shipped'], limit: 3 }],
    ['status=pending&sort=-shipDate&limit=2', { status: ['pending'], sort: '-shipDate', limit: 2 }],
    ['petId=1&complete=false', { petId: 1, complete: false }],
    [
      'shipDateFrom=2026-11-01T00%3A00%3A00Z&shipDateTo=2026-12-01T00%3A00%3A00Z&limit=1',
      { shipDateFrom: '2026-11-01T00:00:00Z', shipDateTo: '2026-12-01T00:00:00Z', limit: 1 },
    ],
  ])('with %j responds like GET', async (text, body) => {
    const { key } = await service().openStore();
    const got = await service().request(`GET /v2/store/orders?${text}`, { key });
    const found = await query(key, body);
    expect([found.status, found.text]).toEqual([200, got.text]);
    for (const name of ['content-type', 'etag', 'cache-control', 'vary', 'accept-query'])
      expect([name, found.headers[name]]).toEqual([name, got.headers[name]]);
    const next = (link: unknown) =>
      link && String(new URL(String(link).slice(1), 'http://x').searchParams.get('limit'));
    expect(next(found.headers.link)).toBe(next(got.headers.link));
    if (!found.headers.link) return;
    const [, path] = /^<(.*)>; rel="next"$/.exec(String(found.headers.link)) ?? [];
    const { nextCursor } = found.json<{ nextCursor: string }>();
    const second = await query(key, { ...body, cursor: nextCursor });
    expect(second.text).toBe((await service().request(`GET ${path}`, { key })).text);
    expect((await query(key, body, { 'if-none-match': String(found.headers.etag) })).status).toBe(304);
  });

  it('is open to a read-only key', async () => {
    const member = await signUpAndIn(service());
    const { key } = await createKey(member, { name: 'reader', scope: 'read' });
    expect((await query(key, { limit: 1 })).status).toBe(200);
    expect(
      (await service().request('POST /v2/store/orders', { key, headers: json, body: '{}' })).status,
    ).toBe(403);
  });

  it('is listed in Accept-Query and Allow for every method', async () => {
    const { key } = await service().openStore();
    for (const call of ['GET /v2/store/orders', 'HEAD /v2/store/orders', 'PUT /v2/store/orders'])
      expect([call, (await service().request(call, { key })).headers['accept-query']]).toEqual([
        call,
        'application/json',
      ]);
    const { headers } = await service().request('PUT /v2/store/orders', { key });
    expect(headers.allow).toBe('GET, HEAD, QUERY, POST');
    expect((await service().request('GET /v2/pets', { key })).headers['accept-query']).toBe(undefined);
  });

  it.each([
    ['{"status":["lost"]}', 'invalid_parameter', "'status'"],
    ['{"status":"pending"}', 'invalid_parameter', "'status'"],
    ['{"status":"pending,shipped"}', 'invalid_parameter', 'cancelled (at most 20).'],
    ['{"status":[]}', 'invalid_parameter', "'status' must be an array of one or more of"],
    ['{"limit":0}', 'invalid_parameter', "'limit'"],
    ['{"limit":"3"}', 'invalid_parameter', "'limit' must be an integer from 1 to 1000."],
    ['{"petId":null}', 'invalid_parameter', "'petId'"],
    ['{"color":"red"}', 'invalid_parameter', "'color'"],
    ['{"cursor":"x"}', 'invalid_cursor', 'cursor'],
    ['[]', 'invalid_body', 'object'],
    ['{', 'invalid_body', 'JSON'],
  ])('%s is 400 %s', async (body, code, says) => {
    const { key } = await service().openStore();
    const rejected = await query(key, body);
    expect(rejected.json()).toMatchObject({ code, status: 400n });
    expect(rejected.text).toContain(says);
  });

  it('takes parameters only from its body, which is JSON', async () => {
    const { key } = await service().openStore();
    const target = 'QUERY /v2/store/orders?status=pending';
    const inUrl = await service().request(target, { key, headers: json, body: '{}' });
    expect(inUrl.json()).toMatchObject({ code: 'invalid_parameter' });
    expect((await query(key, '{}', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await service().request('QUERY /v1/store/orders', { key })).status).toBe(405);
    const anonymous = await service().request('QUERY /v2/store/orders', { headers: json, body: '{}' });
    expect(anonymous.status).toBe(401);
  });

  it('is only in the 3.2 edition of the document', async () => {
    const paths = async (edition: string) =>
      JSON.parse((await service().request(`GET /v2/openapi${edition}.json`)).text).paths['/store/orders'];
    expect((await paths('-3.2')).query).toMatchObject({ operationId: 'queryOrders', 'x-stability': 'beta' });
    expect([(await paths('')).query, (await paths('-3.0')).query]).toEqual([undefined, undefined]);
  });
});
