import { describe, expect, it } from 'vitest';
import { engines } from '../support/engines.ts';
import { essence, sendRaw } from '../support/http.ts';
import { insertOrders } from '../support/orders.ts';
import { startService, type TestService } from '../support/service.ts';

const SHORT = '/v1/store/orders';
/** Means the same, but is not the plain request that the short road knows. */
const LONG = '/v1/store/orders?';

describe.each(engines)('the short road of listOrders on $name', (engine) => {
  const lastLine = ({ log }: TestService) => {
    const { id: _id, time: _time, ms: _ms, ...rest } = JSON.parse(log.at(-1) ?? '');
    return rest;
  };

  it('answers and logs exactly as the long one', async () => {
    await using service = await startService(engine);
    const { request, openStore } = service;
    const { key } = await openStore();
    const etag = String((await request(`GET ${LONG}`, { key })).headers.etag);
    for (const headers of [
      {},
      { 'if-none-match': etag },
      { 'if-none-match': `"x", ${etag.slice(2)}` },
      { 'if-none-match': '*' },
      { 'if-none-match': 'W/"other"' },
      { 'accept-encoding': 'gzip' },
      { 'accept-encoding': 'gzip, br' },
      { 'accept-encoding': 'deflate, gzip;q=0' },
      { 'accept-encoding': 'br', 'if-none-match': etag },
      { origin: 'https://example.com', accept: 'text/html', 'content-type': 'text/plain' },
      { connection: 'close' },
      { 'x-request-id': 'mine' },
      { 'x-request-id': 'not one of ours!' },
    ]) {
      const long = await request(`GET ${LONG}`, { key, headers });
      const longLine = lastLine(service);
      const short = await request(`GET ${SHORT}`, { key, headers });
      expect(essence(short)).toEqual(essence(long));
      expect(Object.keys(short.headers)).toEqual(Object.keys(long.headers));
      expect(short.bytes).toEqual(long.bytes);
      expect(lastLine(service)).toEqual(longLine);
      expect(String(short.headers['x-request-id'])).toMatch(
        headers['x-request-id'] === 'mine' ? /^mine$/ : /^[0-9a-f-]{36}$/,
      );
      expect(JSON.parse(service.log.at(-1) ?? '').id).toBe(short.headers['x-request-id']);
    }
  });

  it('sees every change, and a list that another replica made longer', async () => {
    await using service = await startService(engine);
    const { request, openStore, database } = service;
    const store = await openStore();
    const { key } = store;
    await request(`GET ${LONG}`, { key });
    for (const change of ['DELETE /v1/store/orders/2', 'POST /v2/store/orders/3/ship']) {
      await request(change, { key });
      const short = await request(`GET ${SHORT}`, { key });
      expect(essence(short)).toEqual(essence(await request(`GET ${LONG}`, { key })));
    }
    await insertOrders(
      database,
      store,
      Array.from({ length: 4_000 }, (_, i) => BigInt(i + 100)),
    );
    for (let turn = 0; turn < 2; turn++) {
      const grown = await request(`GET ${SHORT}`, { key });
      expect(grown.json<unknown[]>()).toHaveLength(4_039);
      expect(essence(grown)).toEqual(essence(await request(`GET ${LONG}`, { key })));
    }
  });

  it('answers everything else as the long one does', async () => {
    await using service = await startService(engine);
    const { request, openStore, port, database } = service;
    const { key, keyId } = await openStore();
    await request(`GET ${SHORT}`, { key });
    const bearer = `Authorization: Bearer ${key}\r\n`;
    const close = 'Connection: close\r\n\r\n';
    const seen = [
      (await request(`HEAD ${SHORT}`, { key })).status,
      (await request(`POST ${SHORT}`, { key })).status,
      (await request(`GET ${SHORT}/`, { key })).status,
      (await request(`GET ${SHORT}`)).status,
      (await request(`GET ${SHORT}`, { key: `${key.slice(0, -1)}!` })).status,
      (await request(`GET ${SHORT}`, { key, body: 'ignored' })).status,
      (await sendRaw(port, `GET ${SHORT} HTTP/1.1\r\n${bearer}${close}`)).status,
      (await sendRaw(port, `GET ${SHORT} HTTP/1.0\r\n${bearer}\r\n`)).status,
    ];
    expect(seen).toEqual([200, 405, 404, 401, 401, 200, 400, 200]);
    await database.exec(`UPDATE keys SET revoked_at = 1 WHERE id = '${keyId}'`);
    const revoked = await request(`GET ${SHORT}`, { key });
    expect(revoked.status).toBe(401);
  });

  it('is counted, and the last use of the key is kept', async () => {
    const service = await startService(engine);
    try {
      const { request, openStore, database, app } = service;
      const { key, keyId } = await openStore();
      const { key: other } = await openStore();
      const etag = String((await request(`GET ${LONG}`, { key: other })).headers.etag);
      await request(`GET ${SHORT}`, { key: other });
      await request(`GET ${SHORT}`, { key: other, headers: { 'if-none-match': etag } });
      await request(`GET ${SHORT}`, { key, headers: { 'if-none-match': '*' } });
      const { text } = await request('GET /metrics');
      const counted = (status: number) =>
        new RegExp(`_count\\{operation="listOrders",status="${status}",.*\\} (\\d+)`).exec(text)?.[1];
      expect([counted(200), counted(304)]).toEqual(['2', '2']);
      await app.close();
      const [row] = await database.rows(`SELECT last_used_at FROM keys WHERE id = '${keyId}'`);
      expect(row?.last_used_at).not.toBeNull();
    } finally {
      await service[Symbol.asyncDispose]();
    }
  });

  it('counts its requests where they are limited', async () => {
    await using service = await startService(engine, { rateLimit: 100 });
    const { request, openStore } = service;
    const { key } = await openStore();
    for (let turn = 0; turn < 2; turn++) {
      const answer = await request(`GET ${SHORT}`, { key });
      expect([answer.status, answer.headers.ratelimit]).toEqual([
        200,
        expect.stringContaining(`r=${99 - turn};`),
      ]);
    }
  });
});
