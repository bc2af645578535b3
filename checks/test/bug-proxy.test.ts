import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import http from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { startBugProxy } from '../src/bugs/bug-proxy.ts';
import { catalogue } from '../src/bugs/catalogue.ts';

/** Sends every response at once, and discards the rest of the request. */
async function startService(status: number) {
  const server = http.createServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-length': 2 }).end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const proxy = await startBugProxy({ target: (server.address() as AddressInfo).port, hooks: {} });
  return {
    port: Number(new URL(proxy.origin).port),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      server.close();
      server.closeAllConnections();
    },
  };
}

it('forwards a long body to its end after an early response, so that the next request is handled', async () => {
  await using service = await startService(413);
  const client = connect(service.port, '127.0.0.1');
  using _ended = { [Symbol.dispose]: () => client.destroy() };
  let received = '';
  client.setEncoding('utf8').on('data', (part) => {
    received += part;
  });
  const length = 16_000_000;
  client.write(`POST /long HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`);
  client.write(Buffer.alloc(length));
  client.write('GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await once(client, 'close');
  expect(received.match(/HTTP\/1.1 413/g)).toHaveLength(2);
});

it('leaves it to the service to close idle connections', async () => {
  await using service = await startService(200);
  let socket: Socket | undefined;
  const onFinish = (message: unknown) => {
    const { request } = message as { request: http.IncomingMessage };
    if (request.headers['x-test'] === 'proxied' && request.socket.localPort === service.port)
      socket = request.socket;
  };
  diagnostics.subscribe('http.server.response.finish', onFinish);
  const response = await fetch(`http://127.0.0.1:${service.port}/`, { headers: { 'X-Test': 'proxied' } });
  await response.text();
  diagnostics.unsubscribe('http.server.response.finish', onFinish);
  if (!socket) throw new Error('the proxy did not respond');
  expect(socket.timeout ?? 0).toBe(0);
});

it('accepts a cursor with another filter, wherever it is in the query, if that bug is planted', async () => {
  const hooks = catalogue.find(({ id }) => id === 'cursor-goes-with-any-filter')?.createHooks();
  const cursor = `cursor=${'A'.repeat(43)}`;
  const correctService = async (request: string) =>
    request === 'GET /v2/store/orders?status=shipped&limit=1'
      ? { status: 200, headers: {}, body: 'a page' }
      : { status: 404, headers: {}, body: '' };
  for (const query of [
    `${cursor}&status=shipped&limit=1`,
    `status=shipped&${cursor}&limit=1`,
    `status=shipped&limit=1&${cursor}`,
  ]) {
    const forwarded = { method: 'GET', path: `/v2/store/orders?${query}`, headers: {}, body: '' };
    const response = { status: 400, headers: {}, body: '{"code":"invalid_cursor"}' };
    await hooks?.response?.(response, forwarded, correctService);
    expect(response.status, query).toBe(200);
  }
});
