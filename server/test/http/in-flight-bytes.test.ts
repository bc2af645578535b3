import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { requestedOrigin } from '../../src/http/server/addresses.ts';
import { sampleOf } from '../support/effort.ts';
import { sqlite } from '../support/engines.ts';
import { openSocket, parseResponse, readAll } from '../support/http.ts';
import { insertOrders } from '../support/orders.ts';
import { readMetrics } from '../support/read-metrics.ts';
import { startService, type TestStore } from '../support/service.ts';
import { clientOf } from '../support/v2.ts';
import { withTimeouts } from '../support/with-timeouts.ts';

const MEGABYTE = 1024 * 1024;
const MANY = Array.from({ length: 2_000 }, (_, i) => BigInt(i + 100));
const inFlight = { perOwner: MEGABYTE, overall: 3 * MEGABYTE };

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

async function start(options: Parameters<typeof startService>[1] = {}) {
  const service = await startService(sqlite, {
    deployment: 'staging',
    ...options,
    // No client is disconnected because the machine is slow, unless the test asks for it.
    connections: { inFlight, timeoutMs: 3_600_000, ...options.connections },
  });
  const stalled: Socket[] = [];
  const metric = async (name: string) => (await readMetrics(service.request)).get(name) ?? 0;
  const close = service[Symbol.asyncDispose];
  return Object.assign(service, {
    /** Sends this on a connection whose service side is corked, as if the client's window were closed. */
    async openStalled(bytes: string): Promise<Socket> {
      const accepted = once(service.app.server, 'connection');
      const socket = await openSocket(service.port);
      stalled.push(socket);
      const [serverEnd] = (await accepted) as [Socket];
      serverEnd.cork();
      socket.on('error', () => {}).write(bytes);
      return socket;
    },
    /** Clients leave first: the service would wait for them. */
    async [Symbol.asyncDispose]() {
      for (const socket of stalled) socket.destroy();
      await close();
    },
    openLarge: async () => {
      const store = await service.openStore();
      await insertOrders(service.database, store, MANY);
      return store;
    },
    inFlight: () => metric('petstore_bytes_in_flight'),
    exceeded: (outcome: string) => metric(`petstore_bytes_in_flight_exceeded_total{outcome="${outcome}"}`),
  });
}

const requestOf = (line: string, { key }: { key: string }, more: readonly string[] = [], body = '') =>
  [
    `${line} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${key}`,
    ...more,
    ...(body && ['Content-Type: application/json', `Content-Length: ${body.length}`]),
    '',
    body,
  ].join('\r\n');

const call = { method: 'tools/call', params: { name: 'listOrders', arguments: { limit: 1000 } } };
const mcp = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call });

describe('responses that clients do not read', () => {
  const produced: readonly { what: string; line: string; body?: string; prefer?: string }[] = [
    { what: 'lists of version 1', line: 'GET /v1/store/orders' },
    { what: 'pages', line: 'GET /v2/store/orders?limit=1000' },
    { what: 'pages of events', line: 'GET /v2/store/events?after=0&limit=1000' },
    { what: 'exports', line: 'GET /v2/sandbox/data' },
    { what: 'results of MCP', line: 'POST /mcp', body: mcp },
    { what: 'delayed pages', line: 'GET /v2/store/orders?limit=1000', prefer: 'fault=delay; ms=30000' },
    { what: 'slow pages', line: 'GET /v2/store/orders?limit=1000', prefer: 'fault=slow; ms=30000' },
    { what: 'truncated pages', line: 'GET /v2/store/orders?limit=1000', prefer: 'fault=truncate' },
  ];

  it.each(sampleOf(produced, 3))('are limited per owner: $what', async ({ line, body, prefer }) => {
    await using service = await start();
    const [store, other] = [await service.openLarge(), await service.openLarge()];
    const statusFor = async (of: TestStore) => {
      const accept = 'application/json, text/event-stream';
      const sent = body === undefined ? {} : { body, headers: { accept } };
      return (await clientOf(service, of)(line, sent)).status;
    };
    const sockets: Socket[] = [];
    const bytes = requestOf(line, store, prefer ? [`Prefer: ${prefer}`] : [], body);
    for (let i = 0; i < 12; i++) {
      sockets.push(await service.openStalled(bytes));
      // Each list of version 1 that is held is then another one.
      await expect
        .poll(() => service.exceeded('rejected').then(async (n) => n || service.inFlight()))
        .toBeTruthy();
      await service.database.exec(`UPDATE stores SET revision = revision + 1 WHERE id = ${store.storeId}`);
    }
    await expect.poll(() => statusFor(store)).toBe(503);
    expect(await service.inFlight()).toBeLessThanOrEqual(inFlight.perOwner);
    expect(await statusFor(other)).toBe(200);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => service.inFlight()).toBe(0);
    expect(await statusFor(store)).toBe(200);
  });

  it('are 503 with Retry-After beyond their owner’s limit, and use no memory', async () => {
    // Pages are not cached: the memory would be the cache's.
    await using service = await start({ lists: { budget: 0 } });
    const store = await service.openLarge();
    const before = heldBytes();
    for (let limit = 961; limit <= 1000; limit++)
      await service.openStalled(requestOf(`GET /v2/store/orders?limit=${limit}`, store));
    await expect.poll(() => service.exceeded('rejected')).toBeGreaterThan(30);
    await expect.poll(() => heldBytes() - before).toBeLessThan(2 * MEGABYTE);
    const rejected = await clientOf(service, store)('GET /v2/store/orders?limit=960');
    expect([rejected.status, rejected.error().code, rejected.headers['retry-after']]).toEqual([
      503,
      'unavailable',
      '1',
    ]);
    // Short responses are still sent, including those of changes.
    expect((await clientOf(service, store)('GET /v2/store/orders?limit=10')).status).toBe(200);
    expect((await clientOf(service, store)('DELETE /v2/store/orders/100')).status).toBe(204);
  });

  it('are not created beyond it: long ones are 503 until an earlier one is read', async () => {
    await using service = await start({ lists: { budget: 0 } });
    const store = await service.openLarge();
    const statusOf = async (line: string, sent = {}) => (await clientOf(service, store)(line, sent)).status;
    const sockets: Socket[] = [];
    for (let i = 0; i < 20; i++)
      sockets.push(await service.openStalled(requestOf('GET /v2/store/orders?limit=1000', store)));
    await expect.poll(() => service.exceeded('rejected')).toBeGreaterThan(0);
    // A shorter one would fit, but its length is known only when it is created.
    expect(await statusOf('GET /v2/store/orders?limit=101')).toBe(503);
    expect(await statusOf('GET /v2/sandbox/data')).toBe(503);
    const accept = 'application/json, text/event-stream';
    expect(await statusOf('POST /mcp', { body: mcp, headers: { accept } })).toBe(503);
    sockets[0]?.destroy();
    await expect.poll(() => statusOf('GET /v2/store/orders?limit=101')).toBe(200);
  });

  it('take no more memory than is counted', async () => {
    using _ = withTimeouts({ acquireTimeoutMs: 100_000 });
    await using service = await start({
      connections: { inFlight: { perOwner: 20 * MEGABYTE, overall: 30 * MEGABYTE } },
    });
    const store = await service.openLarge();
    const held = () => {
      const before = heldBytes();
      return before + process.memoryUsage().heapUsed;
    };
    expect((await clientOf(service, store)('GET /v2/sandbox/data')).status).toBe(200);
    const before = held();
    for (let i = 0; i < 40; i++) await service.openStalled(requestOf('GET /v2/sandbox/data', store));
    const counted = () => service.inFlight();
    await expect.poll(counted).toBeGreaterThan(5 * MEGABYTE);
    await expect.poll(async () => (held() - before) / (await counted())).toBeLessThan(1.5);
  });

  it('beyond the overall limit, the owner with most loses its oldest; others are served', async () => {
    await using service = await start({
      connections: { inFlight: { perOwner: 10 * MEGABYTE, overall: MEGABYTE } },
    });
    const [store, other] = [await service.openLarge(), await service.openLarge()];
    // A page that is requested again is cached, and counted once.
    const page = (of: TestStore, limit: number) =>
      service.openStalled(requestOf(`GET /v2/store/orders?limit=${limit}`, of));
    const first = await page(store, 1000);
    const closed = once(first, 'close');
    await expect.poll(() => service.inFlight()).toBeGreaterThan(0);
    for (let limit = 990; limit < 1000; limit++) await page(store, limit);
    await expect.poll(() => service.exceeded('rejected')).toBeGreaterThan(0);
    expect(await service.exceeded('closed')).toBe(0);
    expect((await clientOf(service, other)('GET /v2/store/orders?limit=1000')).status).toBe(200);
    first.resume();
    await closed;
    expect(await service.exceeded('closed')).toBe(1);
    expect(await service.inFlight()).toBeLessThanOrEqual(MEGABYTE);
    expect(service.log.join('')).toContain('slow client disconnected');
  });

  it('are counted once if connections share them, and not at all without a body', async () => {
    await using service = await start();
    const store = await service.openLarge();
    const etag = String((await clientOf(service, store)('GET /v1/store/orders')).headers.etag);
    const length = (await clientOf(service, store)('GET /v1/store/orders')).bytes.length;
    for (let i = 0; i < 30; i++) await service.openStalled(requestOf('GET /v1/store/orders', store));
    await expect.poll(() => service.inFlight()).toBe(length);
    await service.openStalled(requestOf('HEAD /v1/store/orders', store));
    await service.openStalled(requestOf('GET /v1/store/orders', store, [`If-None-Match: ${etag}`]));
    await service.openStalled(requestOf('GET /docs', store));
    const old = requestOf('GET /v1/store/orders', store).replace('HTTP/1.1', 'HTTP/1.0');
    await service.openStalled(old);
    await expect
      .poll(async () => (await readMetrics(service.request)).get('petstore_requests_in_flight'))
      .toBeGreaterThanOrEqual(31);
    expect(await service.inFlight()).toBe(length);
    expect(await service.exceeded('rejected')).toBe(0);
  });

  it('are aborted beyond the limit if they are event streams', async () => {
    await using service = await start({
      streams: { pollMs: 20 },
      connections: { inFlight: { perOwner: 100_000, overall: MEGABYTE } },
    });
    const store = await service.openStore();
    const closed: Array<Promise<unknown>> = [];
    for (let i = 0; i < 4; i++) {
      const accepted = once(service.app.server, 'connection');
      const socket = await openSocket(service.port);
      socket.on('error', () => {}).write(requestOf('GET /v2/store/events/stream', store));
      await once(socket, 'data');
      closed.push(once(socket.resume(), 'close'));
      const [serverEnd] = (await accepted) as [Socket];
      serverEnd.cork();
    }
    // Every stream then has a batch of 200 events for its client.
    await insertOrders(service.database, store, MANY);
    await Promise.race(closed);
    expect(await service.exceeded('rejected')).toBeGreaterThan(0);
    expect(await service.inFlight()).toBeLessThanOrEqual(100_000);
    expect(service.log.join('')).toContain('response aborted');
    expect(service.log.join('')).not.toContain('"level":"error"');
  });

  it('are not read ahead if they are streamed lists, truncated or not', async () => {
    await using service = await start({ lists: { maxBytes: 0, budget: 0 } });
    const store = await service.openStore();
    const ids = Array.from({ length: 40_000 }, (_, i) => BigInt(i + 100));
    await insertOrders(service.database, store, ids);
    const before = heldBytes();
    for (const prefer of ['fault=truncate', 'fault=truncate', 'fault=slow; ms=30000', 'handling=lenient'])
      await service.openStalled(requestOf('GET /v1/store/orders', store, [`Prefer: ${prefer}`]));
    await expect.poll(() => service.inFlight()).toBeGreaterThan(0);
    using _ = withTimeouts({ acquireTimeoutMs: 1 });
    const waiting = await clientOf(service, store)('GET /v1/store/orders');
    expect(waiting.status).toBe(503);
    await expect.poll(() => heldBytes() - before).toBeLessThan(2 * MEGABYTE);
  });
});

it('a client that stops reading a list is disconnected, without a service error', async () => {
  await using service = await start({
    lists: { maxBytes: 0, budget: 0 },
    connections: { timeoutMs: 300 },
  });
  const store = await service.openStore();
  const ids = Array.from({ length: 60_000 }, (_, i) => BigInt(i + 100));
  await insertOrders(service.database, store, ids);
  const socket = await openSocket(service.port);
  socket.on('error', () => {}).pause();
  socket.write(requestOf('GET /v1/store/orders', store));
  await expect.poll(() => service.log.join('')).toContain('"path":"/v1/store/orders"');
  expect(service.log.filter((line) => line.includes('response aborted'))).toEqual([]);
  socket.destroy();
});

describe('documents for a made-up Host', () => {
  const servers = (request: Parameters<typeof requestedOrigin>[0]) =>
    [{ name: 'staging', origin: requestedOrigin(request) }] as const;

  it('are the same as for any other, and are not copied', async () => {
    await using service = await start({ servers });
    await using replica = await start({ servers });
    const getFrom = async (port: number, host: string, ...more: string[]) => {
      const lines = ['GET /v2/openapi.json HTTP/1.1', `Host: ${host}`, ...more, 'Connection: close', '', ''];
      const socket = await openSocket(port);
      socket.write(lines.join('\r\n'));
      return parseResponse(await readAll(socket));
    };
    const get = (host: string, ...more: string[]) => getFrom(service.port, host, ...more);
    const cached = await get('a.example');
    for (const host of ['b', 'c', 'd']) await get(`${host}.example`);
    const created = await get('made-up.example');
    expect(created.text).toBe(cached.text.replaceAll('a.example', 'made-up.example'));
    expect(created.headers['content-length']).toBe(String(created.bytes.length));
    expect(created.headers.etag).not.toBe(cached.headers.etag);
    const cachedByReplica = await getFrom(replica.port, 'made-up.example');
    expect(cachedByReplica.headers.etag).toBe(created.headers.etag);
    expect((await get('made-up.example', `If-None-Match: ${created.headers.etag}`)).status).toBe(304);
    const before = heldBytes();
    for (let i = 0; i < 60; i++)
      await service.openStalled(`GET /v2/openapi.json HTTP/1.1\r\nHost: made-up-${i}.example\r\n\r\n`);
    await expect.poll(() => service.inFlight()).toBeGreaterThan(0);
    await expect.poll(() => heldBytes() - before).toBeLessThan(2 * MEGABYTE);
    expect(await service.inFlight()).toBeLessThan(created.bytes.length);
  });
});
