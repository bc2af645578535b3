import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { openSocket, parseResponse, readAll, sendRaw } from '../support/http.ts';
import { startService, type TestService, useService } from '../support/service.ts';

const MEGABYTE = 1024 * 1024;
const oneByteChunks = (count: number) => '1\r\n \r\n'.repeat(count);

/** Sends a request and as much of its body as is read. Returns the response and how much was read. */
async function flood({ port, app }: TestService, head: string, step: string) {
  const accepted = once(app.server, 'connection');
  const client = await openSocket(port);
  const [socket] = (await accepted) as [Socket];
  const reading = readAll(client);
  client.write(head);
  const more = () => {
    while (!client.destroyed && client.writable && client.write(step));
  };
  client.on('drain', more);
  more();
  return { response: parseResponse(await reading), read: socket.bytesRead };
}

describe.each(anyEngine)('a body on $name', (engine) => {
  const service = useService(engine);

  it.each([
    ['that was not expected', 'DELETE /v1/store/orders/2', 204],
    ['of a request without a key', 'POST /v2/store/orders', 401],
    ['of another type', 'POST /v2/store/orders', 415],
    ['for a path that is not there', 'PUT /nothing', 404],
  ])('%s is not read: it gets a response, and its connection is closed', async (_, target, status) => {
    const { key } = await service().openStore();
    const authorization = status === 401 ? '' : `Authorization: Bearer ${key}\r\n`;
    const head = `${target} HTTP/1.1\r\nHost: x\r\n${authorization}Content-Length: ${1000 * MEGABYTE}\r\n\r\n`;
    const { response, read } = await flood(service(), head, 'x'.repeat(64 * 1024));
    expect([response.status, response.headers.connection]).toEqual([status, 'close']);
    expect(read).toBeLessThan(MEGABYTE);
  });

  it('of some megabytes is read for clients that send everything before reading', async () => {
    const { port, openStore } = service();
    const { key } = await openStore();
    const socket = await openSocket(port);
    for (const [target, status] of [
      ['POST /v2/store/orders', 413],
      ['DELETE /v1/store/orders/2', 204],
    ]) {
      const head = `${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
      const body = 'x'.repeat(15 * MEGABYTE);
      const sent = new Promise<void>((resolve, reject) =>
        socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`, (error) =>
          error ? reject(error) : resolve(),
        ),
      );
      const [[response]] = await Promise.all([once(socket, 'data'), sent]);
      expect(String(response)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    }
    socket.destroy();
  });

  it.each(['HTTP/1.1\r\nConnection: close', 'HTTP/1.0'])(
    'of some megabytes is read before the connection closes: %j',
    async (version) => {
      const { port, openStore } = service();
      const { key } = await openStore();
      for (const [target, status] of [
        ['POST /v2/store/orders', 413],
        ['GET /v1/store/orders', 200],
        ['DELETE /v1/store/orders/2', 204],
      ] as const) {
        const headers = `Host: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
        const body = 'x'.repeat(15 * MEGABYTE);
        const socket = await openSocket(port);
        const reading = readAll(socket);
        const length = `Content-Length: ${body.length}`;
        await new Promise<void>((resolve, reject) =>
          socket.write(`${target} ${version}\r\n${headers}${length}\r\n\r\n${body}`, (error) =>
            error ? reject(error) : resolve(),
          ),
        );
        const response = parseResponse(await reading);
        expect([response.status, response.headers.connection]).toEqual([status, 'close']);
      }
    },
  );

  it('is not waited for before its request is logged, with Connection: close, too', async () => {
    const { port, log } = service();
    const socket = await openSocket(port);
    const id = randomUUID();
    const head = `POST /v2/store/orders HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\nConnection: close\r\n`;
    socket.write(`${head}Content-Length: 2\r\n\r\n{`);
    const [response] = await once(socket, 'data');
    expect(String(response)).toMatch(/^HTTP\/1.1 401 /);
    await expect.poll(() => log.filter((line) => line.includes(id))).toHaveLength(1);
    socket.write('}');
    await once(socket, 'close');
  });

  it('of endless small chunks is rejected after a thousand, even if expected', async () => {
    const { key } = await service().openStore();
    const chunked = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    for (const [target, status] of [
      ['POST /v2/store/orders', 413],
      ['DELETE /v1/store/orders/4', 204],
    ]) {
      const head = `${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${chunked}`;
      const { response, read } = await flood(service(), head, oneByteChunks(10_000));
      expect([response.status, response.headers.connection]).toEqual([status, 'close']);
      expect(read).toBeLessThan(MEGABYTE);
    }
  });

  it('unread leaves a chunked response complete', async () => {
    const lists = { maxBytes: 0, budget: 0, rowsPerTick: 2 };
    await using streaming = await startService(engine, { lists });
    const { key } = await streaming.openStore();
    const socket = await openSocket(streaming.port);
    socket.write(
      `GET /v1/store/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`,
    );
    const wire = String(await readAll(socket));
    expect(wire).toMatch(/\r\nTransfer-Encoding: chunked\r\n/i);
    expect(wire.endsWith(']\r\n0\r\n\r\n')).toBe(true);
  });

  it('unread leaves a response with Content-Length complete', async () => {
    await using staging = await startService(engine, { deployment: 'staging' });
    const { key } = await staging.openStore();
    const socket = await openSocket(staging.port);
    const head = `GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nPrefer: fault=slow; ms=50\r\n`;
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`);
    const [responded = '', body] = String(await readAll(socket)).split('\r\n\r\n');
    expect(responded).toContain(`\r\ncontent-length: ${body?.length}\r\n`);
    expect(body?.endsWith(']')).toBe(true);
  });

  it('in small chunks is not read ahead of its handler', async () => {
    const { key } = await service().openStore();
    const head = `DELETE /v1/store/orders/6 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const { response, read } = await flood(service(), head, oneByteChunks(10_000));
    // Bytes that arrive with the head are delivered with it.
    expect([response.status, Math.floor(read / (128 * 1024))]).toEqual([204, 0]);
  });

  it('in a few hundred small chunks is read like any other', async () => {
    const { port, openStore } = service();
    const { key } = await openStore();
    const body = [...'{"petId":1,"quantity":1}'.padEnd(500, ' ')].map((byte) => `1\r\n${byte}\r\n`).join('');
    const response = await sendRaw(
      port,
      `POST /v2/store/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${body}0\r\n\r\n`,
    );
    expect(response.status).toBe(201);
  });

  it('that is cut off is not reported as a service error', async () => {
    const { port, openStore, log, request } = service();
    const { key } = await openStore();
    for (const id of ['broken', 'left']) {
      const socket = await openSocket(port);
      socket.write(
        `POST /v2/store/orders HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"petId":`,
      );
      await request('GET /healthz');
      if (id === 'broken') socket.resetAndDestroy();
      else socket.end();
      const line = () => log.find((line) => line.includes(`"id":"${id}"`));
      await expect.poll(line).toBeDefined();
      expect(JSON.parse(line() ?? '')).toMatchObject({ level: 'info', status: 400, error: 'bad_request' });
    }
  });

  it('in chunks ends an HTTP/1.0 connection, even with keep-alive', async () => {
    const { port, openStore } = service();
    const { key } = await openStore();
    const response = await sendRaw(
      port,
      `DELETE /v1/store/orders/2 HTTP/1.0\r\nAuthorization: Bearer ${key}\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    );
    expect([response.status, response.headers.connection]).toEqual([204, 'close']);
  });

  it('is left in the kernel: only bytes that arrive with the head are read', async () => {
    const accepted = new Set<Socket>();
    await using own = await startService(engine, {
      prepare: ({ server }) => server.on('connection', (socket) => accepted.add(socket)),
    });
    const sockets = await Promise.all(Array.from({ length: 100 }, () => openSocket(own.port)));
    const body = Buffer.alloc(2 * MEGABYTE, 'x');
    const responses = sockets.map((socket) => {
      socket.write(`POST /v2/pets HTTP/1.1\r\nHost: x\r\nContent-Length: ${1000 * MEGABYTE}\r\n\r\n`);
      socket.write(body);
      return readAll(socket);
    });
    for (const res of await Promise.all(responses)) expect(parseResponse(res).status).toBe(401);
    expect(accepted.size).toBe(100);
    expect(Math.max(...Array.from(accepted, ({ bytesRead }) => bytesRead))).toBeLessThan(MEGABYTE / 4);
  });
});

describe.each(anyEngine)('an absolute-form target on $name', (engine) => {
  const service = useService(engine);

  it.each(['/v1/pets/1', '/v2/store/orders?limit=1'])(
    '%s: no link of its response points there',
    async (path) => {
      const { port, openStore } = service();
      const { key } = await openStore();
      const response = await sendRaw(
        port,
        `GET http://evil.example${path} HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
      );
      expect(response.status).toBe(200);
      expect(response.headers.link).toMatch(/<\/v2\//);
      expect(response.headers.link).not.toContain('evil');
    },
  );
});
