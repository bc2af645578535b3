import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { encodeRequest, openSide } from '../src/load.ts';

const request = encodeRequest('/');

async function listen(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, port, [Symbol.dispose]: () => server.close().closeAllConnections() };
}

it('connections that the server has closed while they were idle are opened again', async () => {
  using target = await listen((_, response) => response.end('pets'));
  using side = await openSide('petstore', { pid: process.pid, port: target.port }, 200, () => request);
  expect(await side.sample(0.05)).toBeGreaterThan(0);
  target.server.closeAllConnections();
  expect(await side.sample(0.05)).toBeGreaterThan(0);
});

it('a connection that the server closes in the middle of a response is an error', async () => {
  using target = await listen((_, response) => {
    response.writeHead(200, { 'Content-Length': 10 }).write('pets', () => response.destroy());
  });
  using side = await openSide('petstore', { pid: process.pid, port: target.port }, 200, () => request);
  await expect(side.sample(0.05)).rejects.toThrow('the server closed the connection');
});

it('a connection on which the server never responds is an error once it closes it', async () => {
  using target = await listen((_, response) => response.destroy());
  using side = await openSide('petstore', { pid: process.pid, port: target.port }, 200, () => request);
  await expect(side.sample(0.05)).rejects.toThrow('the server closed the connection');
});
