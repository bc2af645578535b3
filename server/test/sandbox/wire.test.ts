import { once } from 'node:events';
import { Agent } from 'node:http';
import { describe, expect, it } from 'vitest';
import { GARBAGE } from '../../src/sandbox/faulty-sender.ts';
import { anyEngine, sqlite } from '../support/engines.ts';
import { exchange, openSocket } from '../support/http.ts';
import { orderIds } from '../support/orders.ts';
import { startService, useService } from '../support/service.ts';
import { clientOf } from '../support/v2.ts';
import { armFaults, plain, readToEnd, requestText, sendBytes, staging } from './support.ts';

const body = '{"petId":1,"quantity":1}';

/** A raw response: head and body. */
function split(text: string): [head: string, body: string] {
  const end = text.indexOf('\r\n\r\n');
  return [text.slice(0, end + 4), text.slice(end + 4)];
}

describe.each(anyEngine)('each fault on the wire, on $name', (engine) => {
  const service = useService(engine, staging);
  const right = async (request: string, store: { key: string }) =>
    (await sendBytes(service(), requestText(request, store, ['Connection: close']))).text;

  it.each(['drop', 'reset', 'garbage'])('`%s` sends no response, and nothing changes', async (fault) => {
    const store = await service().openStore();
    const before = await orderIds(service(), store);
    for (const request of ['GET /v1/pets', 'DELETE /v1/store/orders/2', 'GET /v2/store/orders']) {
      const received = await sendBytes(service(), requestText(request, store, [`Prefer: fault=${fault}`]));
      expect(received.end).toBe(fault === 'reset' ? 'reset' : 'closed');
      expect(received.bytes).toEqual(fault === 'garbage' ? GARBAGE : Buffer.alloc(0));
    }
    const received = await sendBytes(
      service(),
      requestText('POST /v2/store/orders', store, [`Prefer: fault=${fault}`], body),
    );
    expect(received.end).toBe(fault === 'reset' ? 'reset' : 'closed');
    expect(await orderIds(service(), store)).toEqual(before);
  });

  it('`lost-answer` applies the change without sending a response', async () => {
    const store = await service().openStore();
    const lost = ['Prefer: fault=lost-answer'];
    const cancelled = await sendBytes(service(), requestText('DELETE /v1/store/orders/2', store, lost));
    const placed = await sendBytes(service(), requestText('POST /v2/store/orders', store, lost, body));
    expect([cancelled.text, cancelled.end, placed.text, placed.end]).toEqual(['', 'closed', '', 'closed']);
    // Bypasses the program: this was committed.
    const rows = await service().database.rows(
      `SELECT id, status FROM orders WHERE store_id = ${store.storeId} AND id IN (2, 41) ORDER BY id`,
    );
    expect(rows).toEqual([
      { id: 2n, status: 'cancelled' },
      { id: 41n, status: 'pending' },
    ]);
  });

  it.each(['GET /v1/store/orders', 'GET /v1/pets', 'GET /v2/pets', 'GET /v2/store/orders/1'])(
    '`truncate` of %s is its head and exactly half of its body',
    async (request) => {
      const store = await service().openStore();
      const [head, complete] = split(await right(request, store));
      const received = await sendBytes(
        service(),
        requestText(request, store, ['Connection: close', 'Prefer: fault=truncate']),
      );
      const [cutHead, cut] = split(received.text);
      expect(received.end).toBe('closed');
      expect(plain(cutHead).replace(/preference-applied: .*\r\nvary: Prefer\r\n/i, '')).toBe(plain(head));
      expect(cutHead).toContain(`\r\ncontent-length: ${complete.length}\r\n`);
      expect(cut).toBe(complete.slice(0, Math.floor(complete.length / 2)));
    },
  );

  it('`truncate` of an event stream ends it within the first events', async () => {
    const store = await service().openStore();
    const received = await sendBytes(
      service(),
      requestText('GET /v2/store/events/stream?after=0', store, ['Prefer: fault=truncate']),
    );
    const [head, cut] = split(received.text);
    expect([received.end, head?.slice(0, 15)]).toEqual(['closed', 'HTTP/1.1 200 OK']);
    expect(cut).not.toContain('\n\n');
  });

  it('`truncate` of a response without a body is its head', async () => {
    const store = await service().openStore();
    const received = await sendBytes(
      service(),
      requestText('DELETE /v1/store/orders/2', store, ['Prefer: fault=truncate']),
    );
    expect(received.text).toMatch(/^HTTP\/1\.1 204 No Content\r\n[\s\S]*\r\n\r\n$/);
    const head = await sendBytes(service(), requestText('HEAD /v1/pets', store, ['Prefer: fault=truncate']));
    expect(head.text).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\n$/);
  });

  it('`delay` and `slow` send the correct response, but not before their time', async () => {
    const store = await service().openStore();
    for (const request of ['GET /v1/store/orders', 'GET /v1/pets', 'HEAD /v1/pets', 'GET /v1/pets/999']) {
      const complete = await right(request, store);
      for (const fault of ['delay', 'slow']) {
        const begun = performance.now();
        const prefer = ['Connection: close', `Prefer: fault=${fault}; ms=300`];
        const { text } = await sendBytes(service(), requestText(request, store, prefer));
        expect(performance.now() - begun).toBeGreaterThanOrEqual(299);
        expect(plain(text).replace(/preference-applied: .*\r\nvary: Prefer\r\n/i, '')).toBe(plain(complete));
      }
    }
  });

  it('`slow` sends many chunks, `delay` everything in one', async () => {
    const store = await service().openStore();
    const times: Record<string, number[]> = {};
    for (const fault of ['slow', 'delay']) {
      const socket = await openSocket(service().port);
      const begun = performance.now();
      const seen: number[] = [];
      times[fault] = seen;
      socket.on('data', () => seen.push(performance.now() - begun));
      socket.write(
        requestText('GET /v1/store/orders', store, ['Connection: close', `Prefer: fault=${fault}; ms=500`]),
      );
      await readToEnd(socket);
    }
    expect(times.slow?.length).toBeGreaterThan(3);
    expect(times.slow?.[0]).toBeLessThan(times.slow?.at(-1) as number);
    expect(times.delay?.[0]).toBeGreaterThanOrEqual(499);
  });

  it('`slow` sends a limited number of chunks, however long it takes', async () => {
    const store = await service().openStore();
    const socket = await openSocket(service().port);
    let pieces = 0;
    socket.on('data', () => pieces++);
    socket.write(
      requestText('GET /v1/store/orders', store, ['Connection: close', 'Prefer: fault=slow; ms=2000']),
    );
    await readToEnd(socket);
    expect(pieces).toBeLessThanOrEqual(24);
  });

  it('`slow` starts an event stream immediately', async () => {
    const store = await service().openStore();
    const msUntilHead = async () => {
      await using socket = await openSocket(service().port);
      const begun = performance.now();
      const prefer = ['Prefer: fault=slow; ms=30000'];
      socket.write(requestText('GET /v2/store/events/stream?after=0', store, prefer));
      const [head] = await once(socket, 'data');
      expect(String(head)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      return performance.now() - begun;
    };
    // A step of this duration takes 1.5 seconds, even on a fast machine.
    await expect.poll(msUntilHead).toBeLessThan(1_400);
  });

  it('`stale-connection` sends the correct response as if it stayed open, then closes', async () => {
    const store = await service().openStore();
    const received = await sendBytes(
      service(),
      requestText('GET /v1/pets', store, ['Prefer: fault=stale-connection']),
    );
    const [head, text] = split(received.text);
    expect(head).toMatch(/\r\nConnection: keep-alive\r\nKeep-Alive: timeout=\d+\r\n/);
    expect(text).toBe(split(await right('GET /v1/pets', store))[1]);
    expect(received.end).toBe('closed');
  });

  it('`status` is the documented Error with its headers, and nothing changes', async () => {
    const store = await service().openStore();
    const client = clientOf(service(), store);
    const seen = async (request: string, code: number) => {
      const { status, headers, error } = await client(request, { headers: { prefer: `code=${code}` } });
      return { status, code: error().code, headers, applied: headers['preference-applied'] };
    };
    expect(await seen('DELETE /v1/store/orders/2', 409)).toMatchObject({
      status: 409,
      code: 'order_already_shipped',
      applied: 'code=409',
    });
    expect(await seen('GET /v1/pets', 429)).toMatchObject({
      code: 'rate_limited',
      headers: { 'retry-after': '1', ratelimit: expect.any(String), 'ratelimit-policy': expect.any(String) },
    });
    expect(await seen('GET /v1/pets', 401)).toMatchObject({
      code: 'invalid_api_key',
      headers: { 'www-authenticate': 'Bearer realm="petstore", error="invalid_token"' },
    });
    expect(await seen('GET /v2/store/orders', 503)).toMatchObject({
      code: 'unavailable',
      headers: { 'retry-after': '1' },
    });
    expect(await seen('GET /v1/pets/1', 410)).toMatchObject({
      code: 'gone',
      headers: { sunset: expect.any(String) },
    });
    expect((await client('DELETE /v1/store/orders/2')).status).toBe(204);
  });

  it('a connection continues after a fault that leaves it open', async () => {
    const { port, app, openStore } = service();
    const { key } = await openStore();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let connections = 0;
    const count = () => connections++;
    app.server.on('connection', count);
    const seen: number[] = [];
    // A body whose last byte arrives before its end would rarely be noticed.
    const slow = Array.from({ length: 100 }, (_, i) => `fault=slow; ms=${i % 10}`);
    for (const prefer of ['fault=delay; ms=20', ...slow, 'code=503', '']) {
      const headers = { authorization: `Bearer ${key}`, prefer };
      seen.push((await exchange(port, agent, 'GET', '/v1/pets', headers)).status);
    }
    app.server.off('connection', count);
    agent.destroy();
    expect([seen, connections]).toEqual([[200, ...slow.map(() => 200), 503, 200], 1]);
  });

  it('other connections are served while every fault fires', async () => {
    const store = await service().openStore();
    const neighbour = await service().openStore();
    const [head, complete] = split(await right('GET /v1/store/orders', neighbour));
    const faults = [
      'drop',
      'reset',
      'truncate',
      'garbage',
      'lost-answer',
      'stale-connection',
      'delay; ms=200',
      'slow; ms=200',
    ];
    const failing = Array.from({ length: 5 }, () =>
      faults.map((fault) =>
        sendBytes(
          service(),
          requestText('GET /v1/store/orders', store, ['Connection: close', `Prefer: fault=${fault}`]),
        ),
      ),
    ).flat();
    const served = Array.from({ length: 40 }, () => right('GET /v1/store/orders', neighbour));
    for (const text of await Promise.all(served)) expect(split(plain(text))).toEqual([plain(head), complete]);
    await Promise.all(failing);
  });

  it('works on these fifteen operations of v1 and v2', async () => {
    const store = await service().openStore();
    const requests = [
      'GET /v1/store/orders',
      'DELETE /v1/store/orders/4',
      'GET /v1/pets',
      'GET /v1/pets/1',
      'GET /v2/store/orders',
      'GET /v2/store/orders/1',
      'DELETE /v2/store/orders/4',
      'POST /v2/store/orders/4/ship',
      'POST /v2/store/orders/4/deliver',
      'GET /v2/store/orders/1/history',
      'GET /v2/pets',
      'GET /v2/pets/1',
      'POST /v2/store/orders',
      'POST /v2/pets',
      'PATCH /v2/pets/1',
    ];
    for (const request of requests) {
      const sent = /^(POST|PATCH)/.test(request) ? '{}' : '';
      for (const fault of ['drop', 'lost-answer', 'garbage', 'reset']) {
        const { bytes } = await sendBytes(
          service(),
          requestText(request, store, [`Prefer: fault=${fault}`], sent),
        );
        expect([request, fault, bytes.length]).toEqual([
          request,
          fault,
          fault === 'garbage' ? GARBAGE.length : 0,
        ]);
      }
      const { text } = await sendBytes(
        service(),
        requestText(request, store, ['Prefer: code=503', 'Connection: close'], sent),
      );
      expect(text).toMatch(/^HTTP\/1\.1 503 /);
    }
  });

  it('affects neither the sandbox itself nor unknown paths', async () => {
    const store = await service().openStore();
    const client = clientOf(service(), store);
    await armFaults(service(), store, [{ operation: '*', fault: 'drop', times: null }]);
    const headers = { prefer: 'fault=drop' };
    expect((await client('GET /v2/sandbox/faults', { headers })).status).toBe(200);
    expect((await client('GET /v2/nothing', { headers })).status).toBe(404);
    expect((await client('PUT /v1/pets', { headers })).status).toBe(405);
    expect((await client('DELETE /v2/sandbox/faults', { headers })).status).toBe(204);
  });
});

describe('an uncached list, sent while it is being read', () => {
  it('is truncated in half, and spread over the time', async () => {
    await using service = await startService(sqlite, {
      ...staging,
      lists: { rowsPerTick: 2, maxBytes: 0, budget: 0 },
    });
    const store = await service.openStore();
    const complete = (
      await sendBytes(service, requestText('GET /v1/store/orders', store, ['Connection: close']))
    ).text;
    const unchunked = (text: string) => split(text)[1].replace(/(^|\r\n)[0-9a-f]+\r\n/g, '');
    const full = unchunked(complete);
    expect(full).toContain('{"id":40,');
    const cut = await sendBytes(
      service,
      requestText('GET /v1/store/orders', store, ['Prefer: fault=truncate']),
    );
    const half = unchunked(cut.text).replace(/\r\n$/, '');
    expect(full.startsWith(half)).toBe(true);
    const length = full.lastIndexOf(']') + 1;
    expect(half).toBe(full.slice(0, Math.floor(length / 2)));
    const begun = performance.now();
    const slow = await sendBytes(
      service,
      requestText('GET /v1/store/orders', store, ['Connection: close', 'Prefer: fault=slow; ms=300']),
    );
    expect(performance.now() - begun).toBeGreaterThanOrEqual(299);
    expect(unchunked(slow.text)).toBe(full);
  });
});
