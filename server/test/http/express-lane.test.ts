import { describe, expect, it } from 'vitest';
import { engines } from '../support/engines.ts';
import { essence, sendRaw } from '../support/http.ts';
import { insertOrders } from '../support/orders.ts';
import { type ServiceOptions, startService, type TestService } from '../support/service.ts';

const SHORT = '/v1/store/orders';
/** Means the same, but is not the plain request that the short road knows. */
const LONG = '/v1/store/orders?';

describe.each(engines)('the short road of listOrders on $name', (engine) => {
  /** A service that tells how many requests took the long road since it was last asked. */
  async function startCounting(options: ServiceOptions = {}) {
    let count = 0;
    const service = await startService(engine, {
      ...options,
      prepare: (app) =>
        app.addHook('onSend', async () => {
          count++;
        }),
    });
    const longRoads = () => {
      const counted = count;
      count = 0;
      return counted;
    };
    return Object.assign(service, { longRoads });
  }

  const lastLine = ({ log }: TestService) => {
    const { id: _id, time: _time, ms: _ms, ...rest } = JSON.parse(log.at(-1) ?? '');
    return rest;
  };

  it('answers and logs exactly as the long one', async () => {
    await using service = await startCounting();
    const { request, openStore, longRoads } = service;
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
      longRoads();
      const short = await request(`GET ${SHORT}`, { key, headers });
      expect([headers, longRoads()]).toEqual([headers, 0]);
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
    await using service = await startCounting();
    const { request, openStore, database, longRoads } = service;
    const store = await openStore();
    const { key } = store;
    await request(`GET ${LONG}`, { key });
    for (const change of ['DELETE /v1/store/orders/2', 'POST /v2/store/orders/3/ship']) {
      await request(change, { key });
      longRoads();
      const short = await request(`GET ${SHORT}`, { key });
      expect(longRoads()).toBe(0);
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

  it('leaves everything else to the long one', async () => {
    await using service = await startCounting();
    const { request, openStore, port, longRoads, database } = service;
    const { key, keyId } = await openStore();
    await request(`GET ${SHORT}`, { key });
    longRoads();
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
    expect([revoked.status, longRoads()]).toEqual([401, seen.length + 1]);
  });

  it('is counted, and the last use of the key is kept', async () => {
    const service = await startCounting();
    try {
      const { request, openStore, longRoads, database, app } = service;
      const { key, keyId } = await openStore();
      const { key: other } = await openStore();
      const etag = String((await request(`GET ${LONG}`, { key: other })).headers.etag);
      await request(`GET ${SHORT}`, { key: other });
      await request(`GET ${SHORT}`, { key: other, headers: { 'if-none-match': etag } });
      longRoads();
      await request(`GET ${SHORT}`, { key, headers: { 'if-none-match': '*' } });
      expect(longRoads()).toBe(0);
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

  it('is closed where requests are limited', async () => {
    await using service = await startCounting({ rateLimit: 100 });
    const { request, openStore, longRoads } = service;
    const { key } = await openStore();
    for (let turn = 0; turn < 2; turn++) {
      const answer = await request(`GET ${SHORT}`, { key });
      expect([answer.status, answer.headers.ratelimit, longRoads()]).toEqual([200, expect.any(String), 1]);
    }
  });
});
