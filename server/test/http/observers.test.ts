import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';

const LIST = '/v1/store/orders';

describe.each(anyEngine)('every exchange on $name', (engine) => {
  it('is logged with its ID, key, path, status, error code and duration, whatever its outcome', async () => {
    await using service = await startService(engine);
    const { request, openStore, log } = service;
    const { key, keyId } = await openStore();
    const etag = String((await request(`GET ${LIST}`, { key })).headers.etag);
    const seen = [
      [`GET ${LIST}`, {}, 200],
      [`GET ${LIST}?x=1`, {}, 200],
      [`GET ${LIST}`, { 'if-none-match': etag }, 304],
      [`GET ${LIST}`, { 'accept-encoding': 'gzip' }, 200],
      [`HEAD ${LIST}`, {}, 200],
      ['GET /v1/nothing', {}, 404, 'not_found'],
      [`POST ${LIST}`, {}, 405, 'method_not_allowed'],
      ['DELETE /v1/store/orders/2', {}, 204],
      ['DELETE /v1/store/orders/1', {}, 409, 'order_already_shipped'],
    ] as const;
    for (const [target, headers, status, error] of seen) {
      const sentAt = Date.now();
      const response = await request(target, { key, headers });
      const [method = '', url = ''] = target.split(' ');
      expect([target, response.status]).toEqual([target, status]);
      const line = JSON.parse(log.at(-1) ?? '');
      expect(line.time).toBe(new Date(line.time).toISOString());
      expect(Date.parse(line.time)).toBeGreaterThanOrEqual(sentAt);
      expect(Date.parse(line.time)).toBeLessThanOrEqual(Date.now());
      expect(line).toEqual({
        level: 'info',
        time: expect.any(String),
        id: response.headers['x-request-id'],
        key: keyId,
        method,
        path: url.split('?')[0],
        status,
        ...(error === undefined ? {} : { error }),
        ms: expect.any(Number),
      });
    }
    const rejected = await request(`GET ${LIST}`);
    const line = JSON.parse(log.at(-1) ?? '');
    expect(line).toMatchObject({
      id: rejected.headers['x-request-id'],
      status: 401,
      error: 'missing_api_key',
    });
    expect(line).not.toHaveProperty('key');
  });

  it('is counted by operation and status', async () => {
    await using service = await startService(engine);
    const { request, openStore } = service;
    const { key } = await openStore();
    for (let i = 0; i < 3; i++) await request(`GET ${LIST}`, { key });
    await request(`GET ${LIST}`, { key, headers: { 'if-none-match': '*' } });
    await request(`GET ${LIST}`);
    const { text } = await request('GET /metrics');
    const counted = (status: number) =>
      new RegExp(`_count\\{.*operation="v1.listOrders",status="${status}".*\\} (\\d+)`).exec(text)?.[1];
    expect([counted(200), counted(304), counted(401)]).toEqual(['3', '1', '1']);
  });

  it('records the last use of its key, at the latest when the service stops', async () => {
    const service = await startService(engine);
    try {
      const { request, openStore, database, app } = service;
      const { key, keyId } = await openStore();
      const unused = await openStore();
      await request(`GET ${LIST}`, { key, headers: { 'if-none-match': '*' } });
      await app.close();
      const used = await database.rows(`SELECT id FROM keys WHERE last_used_at IS NOT NULL`);
      expect(used).toEqual([{ id: keyId }]);
      expect(used).not.toContainEqual({ id: unused.keyId });
    } finally {
      await service[Symbol.asyncDispose]();
    }
  });
});
