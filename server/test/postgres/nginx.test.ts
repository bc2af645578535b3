import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgres, sqlite } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { startService, type TestService, type TestStore } from '../support/service.ts';
import { isNginxThere, type Nginx, startNginx } from './support/nginx.ts';
import { expectUnavailable, listedIds, placeOrder, sendRequest } from './support/requests.ts';

describe.skipIf(!isNginxThere)('three replicas behind nginx', () => {
  const replicas: TestService[] = [];
  let connections = 0;
  const served = new Map<number, number>();
  let nginx: Nginx;
  let store: TestStore;

  beforeAll(async () => {
    for (let i = 0; i < 3; i++) {
      const prepare = (app: TestService['app']) => {
        app.server.on('connection', () => connections++);
        app.server.on('request', () => served.set(i, (served.get(i) ?? 0) + 1));
      };
      const database = replicas[0]?.database;
      replicas.push(await startService(postgres, { prepare, ...(database && { database }) }));
    }
    store = await (replicas[0] as TestService).openStore();
    nginx = await startNginx(replicas.map(({ port }) => port));
  });
  afterAll(async () => {
    await nginx?.[Symbol.asyncDispose]();
    for (const replica of replicas.toReversed()) await replica[Symbol.asyncDispose]();
  });

  it('share the load over reused connections', async () => {
    for (let i = 0; i < 60; i++) expect(await listedIds(nginx, store.key)).toHaveLength(40);
    expect([...served.keys()].sort()).toEqual([0, 1, 2]);
    expect(connections).toBeLessThan(15);
  });

  it('read what was written through any of them', async () => {
    for (let i = 0; i < 20; i++) {
      const placed = await placeOrder(nginx, store.key);
      expect(placed.status).toBe(201);
      const { id } = JSON.parse(placed.text) as { id: number };
      expect(await listedIds(nginx, store.key)).toContain(id);
      expect((await sendRequest(nginx, `DELETE /v1/store/orders/${id}`, store.key)).status).toBe(204);
      expect(await listedIds(nginx, store.key)).not.toContain(id);
    }
  });

  it('respond in their own words, even where nginx has a default', async () => {
    const responses = await Promise.all([
      sendRequest(nginx, 'GET /v1/store/orders'),
      sendRequest(nginx, 'DELETE /v1//store/orders/2', store.key),
      sendRequest(nginx, 'DELETE /v1/store/orders/%32/', store.key),
      sendRequest(nginx, `GET /v1/${'x'.repeat(9_000)}`, store.key),
      ...[100_000, 2_000_000].map((size) =>
        sendRequest(nginx, 'POST /v2/store/orders', store.key, {
          body: 'x'.repeat(size),
          headers: { 'content-type': 'application/json' },
        }),
      ),
    ]);
    const codes = responses.map(({ status, text }) => [status, /"code":"(\w+)"/.exec(text)?.[1] ?? text]);
    expect(codes).toEqual([
      [401, 'missing_api_key'],
      [404, 'not_found'],
      [404, 'not_found'],
      [414, 'uri_too_long'],
      [413, 'payload_too_large'],
      [413, 'payload_too_large'],
    ]);
  });

  it('of staging accept their documented data sizes, and fail over for sandbox reads', async () => {
    await using staging = await startService(sqlite, { deployment: 'staging' });
    const { key } = await staging.openStore();
    await using before = await startNginx([staging.port, staging.port, staging.port]);
    const orders = Array.from({ length: 10_000 }, () => ({
      petId: 1,
      quantity: 1,
      shipDate: '2026-11-16T08:00:00Z',
    }));
    const data = { pets: [{ id: 1, name: 'Rex', category: 'dog', stock: 1 }], orders };
    const body = JSON.stringify({ data }).padEnd(4_000_000);
    const headers = { 'content-type': 'application/json' };
    const { status } = await sendRequest(before, 'POST /v2/sandbox/reset', key, { body, headers });
    expect(status).toBe(200);
    await using alone = await startNginx([await freePort(), staging.port, staging.port]);
    for (let i = 0; i < 3; i++)
      expect((await sendRequest(alone, 'GET /v2/sandbox/faults', key)).status).toBe(200);
  });

  it('keep their metrics private', async () => {
    const { status, text } = await sendRequest(nginx, 'GET /metrics');
    expect([status, JSON.parse(text)]).toMatchObject([404, { code: 'not_found', status: 404 }]);
    // With another spelling of the path it reaches a replica, which rejects it as well.
    expect((await sendRequest(nginx, 'GET /metrics?x=1')).status).toBe(404);
    expect((await sendRequest(nginx, 'GET /%6detrics')).status).toBe(404);
  });

  it('fail over: reads are served by the others', async () => {
    const noAccount = await freePort();
    await using before = await startNginx([noAccount, ...replicas.slice(1).map(({ port }) => port)]);
    for (let i = 0; i < 20; i++) expect(await listedIds(before, store.key)).toHaveLength(40);
  });

  it('apply a change once, even if its response is lost', async () => {
    let received = 0;
    const careless = createServer((request) => {
      received++;
      request.socket.destroy();
    });
    await new Promise<void>((resolve) => careless.listen(0, '127.0.0.1', resolve));
    const { port } = careless.address() as AddressInfo;
    await using before = await startNginx([port, port, port]);
    expectUnavailable(await sendRequest(before, 'DELETE /v1/store/orders/2', store.key));
    expect(received).toBe(1);
    careless.close();
  });

  it('produce a documented error when none can be reached', async () => {
    const noAccount = await freePort();
    await using before = await startNginx([noAccount, noAccount, noAccount]);
    expectUnavailable(await sendRequest(before, 'GET /v1/store/orders', store.key));
    expectUnavailable(await placeOrder(before, store.key));
  });
});
