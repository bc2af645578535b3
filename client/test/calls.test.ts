import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../server/test/support/engines.ts';
import { freePort } from '../../server/test/support/free-port.ts';
import { useService } from '../../server/test/support/service.ts';
import {
  type Client,
  type ClientOptions,
  ConnectionError,
  createClient,
  InvalidRequestError,
  NotModifiedError,
  UnavailableError,
} from '../src/index.ts';
import { startFaultyProxy } from './support/faulty-proxy.ts';

describe.each(anyEngine)('a call of the client, on $name', (engine) => {
  const service = useService(engine, {});
  const open = async (options: object = {}) => {
    const { key } = await service().openStore();
    return createClient({ baseUrl: service().origin, key, ...options });
  };

  it('returns response metadata with its result', async () => {
    const client = await open();
    const { data, response } = await client.orders.get(2).withResponse();
    expect(data.id).toBe(2n);
    expect(response).toMatchObject({ status: 200, etag: expect.any(String), requestId: expect.any(String) });
    expect(response.headers.get('content-type')).toBe('application/json');
    const page = await client.orders.list({ limit: 3 }).withResponse();
    expect(page.data.data).toHaveLength(3);
    expect(page.response.headers.get('link')).toContain('rel="next"');
    const placed = await client.orders.place({ petId: '1', quantity: 1 }).withResponse();
    expect(placed.response.headers.get('location')).toBe(`/v2/store/orders/${placed.data.id}`);
    expect((await client.v1.cancelOrder(2).withResponse()).response.status).toBe(204);
  });

  it('sends custom headers, such as the ETag of a cached list', async () => {
    const client = await open();
    const { response } = await client.v1.listOrders().withResponse();
    const headers = { 'If-None-Match': String(response.etag) };
    await expect(client.v1.listOrders({ headers })).rejects.toBeInstanceOf(NotModifiedError);
    await expect(client.orders.list({}, { headers }).withResponse()).rejects.toMatchObject({ status: 304 });
    // Only the client's own key is sent.
    expect(await client.v1.listPets({ headers: { Authorization: 'Bearer x' } })).toHaveLength(12);
  });

  it('places one order per idempotency key, passed as a header or as the option', async () => {
    const client = await open();
    const order = { petId: 1, quantity: 1 };
    const headers = { 'Idempotency-Key': 'order-of-tuesday' };
    const { id } = await client.orders.place(order, { headers });
    expect((await client.orders.place(order, { headers })).id).toBe(id);
    expect((await client.orders.place(order, { idempotencyKey: 'order-of-tuesday' })).id).toBe(id);
    const reused = client.orders.place({ ...order, quantity: 2 }, { headers });
    await expect(reused).rejects.toMatchObject({ idempotencyKey: 'order-of-tuesday' });
  });

  it('retries as often as configured', async () => {
    await using proxy = await startFaultyProxy(service().port);
    const client = await open({ baseUrl: proxy.origin, retryDelay: 1, retries: 0 });
    proxy.faults.push('unavailable', 'unavailable');
    expect(await client.v1.listPets({ retries: 2 })).toHaveLength(12);
    proxy.faults.push('unavailable');
    await expect(client.v1.listPets()).rejects.toBeInstanceOf(UnavailableError);
  });

  it('accepts an ID as digits and rejects any other text', async () => {
    const client = await open();
    expect((await client.pets.get('1')).id).toBe(1n);
    for (const id of ['', '1.0', 'one', '../pets', '1 ', '01', '-0', '-01', '00', '10000000000000000000'])
      await expect(client.pets.get(id)).rejects.toBeInstanceOf(TypeError);
    await expect(client.orders.place({ petId: '01', quantity: 1 })).rejects.toBeInstanceOf(TypeError);
    await expect(client.pets.get('-1')).rejects.toMatchObject({ status: 404 });
  });

  it('accepts an infinite timeout and rejects invalid ones', async () => {
    const client = await open({ timeout: Number.POSITIVE_INFINITY, tryTimeout: 2 ** 40 });
    expect(await client.v1.listPets()).toHaveLength(12);
    expect(await client.v1.listPets({ timeout: 2 ** 40 })).toHaveLength(12);
    await expect(client.v1.listPets({ timeout: Number.NaN })).rejects.toBeInstanceOf(TypeError);
    await expect(open({ timeout: -1 })).rejects.toBeInstanceOf(TypeError);
  });
});

describe('a call to an unreachable service', () => {
  it('has the runtime’s error as its cause', async () => {
    const client = createClient({
      baseUrl: `http://127.0.0.1:${await freePort()}/v1`,
      key: 'pst_test_a',
      retries: 0,
    });
    const error = await client.v1.listPets().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).cause).toMatchObject({ name: 'TypeError', cause: { code: 'ECONNREFUSED' } });
  });

  it('fails only once if both result and head are awaited', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    const server = createServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, key: 'pst_test_a', retries: 0 });
    await expect(client.v1.listPets().withResponse()).rejects.toMatchObject({ status: 503 });
    // Node reports an unhandled rejection after the microtasks of its tick.
    await new Promise(setImmediate);
    process.off('unhandledRejection', note);
    server.close();
    expect(unhandled).toEqual([]);
  });
});

/** Responds to every request in the same way. */
async function startOtherServer(respond: (response: ServerResponse) => void) {
  const server = createServer((_, response) => {
    requests.push(response.req);
    respond(response);
  }).listen(0, '127.0.0.1');
  const requests: IncomingMessage[] = [];
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = (scheme: string, options: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl: `${scheme}://127.0.0.1:${port}`, key: 'pst_test_a', retryDelay: 1, ...options });
  return {
    open,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('a call to a different server', () => {
  const create = (client: Client) => client.pets.create({ name: 'Ada', category: 'cat', stock: 1 });

  it('reports where it is redirected to, and does not follow', async () => {
    await using otherServer = await startOtherServer((response) =>
      response.writeHead(301, { location: 'https://pets.example/v1' }).end(),
    );
    const error = await create(otherServer.open('http')).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ status: 301, mayBeDone: false });
    expect((error as Error).message).toContain('https://pets.example/v1');
    expect(otherServer.requests).toHaveLength(1);
  });

  it('reports immediately that the server does not support TLS and nothing was changed', async () => {
    await using otherServer = await startOtherServer((response) => response.end());
    const tries: string[] = [];
    const client = otherServer.open('https', { log: ({ type }) => tries.push(type) });
    await expect(create(client)).rejects.toMatchObject({ code: 'connection_failed', mayBeDone: false });
    expect(tries).toEqual(['request', 'failure']);
  });

  it.each([
    ['UND_ERR_HEADERS_TIMEOUT', { name: 'TimeoutError', code: 'timed_out', mayBeDone: true }],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', { code: 'connection_failed', mayBeDone: false }],
    ['ERR_TLS_CERT_ALTNAME_INVALID', { code: 'connection_failed', mayBeDone: false }],
  ])('is not retried after %s', async (code, expected) => {
    let tries = 0;
    const failing = async () => {
      tries += 1;
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code }) });
    };
    const client = createClient({
      baseUrl: 'https://pets.example',
      key: 'pst_test_a',
      retryDelay: 1,
      fetch: failing,
    });
    await expect(client.sandbox.reset()).rejects.toMatchObject(expected);
    expect(tries).toBe(1);
  });

  it.each(['{}', 'null', '7', '{"data":{}}'])('rejects %s as a page', async (json) => {
    await using otherServer = await startOtherServer((response) => response.end(json));
    const client = otherServer.open('http');
    const invalid = { code: 'invalid_answer', status: 200 };
    await expect(client.orders.list()).rejects.toMatchObject(invalid);
    await expect(client.requests()).rejects.toMatchObject(invalid);
    await expect(client.webhooks.list()).rejects.toMatchObject(invalid);
    await expect(client.orders.history(1)).rejects.toMatchObject(invalid);
  });
});
