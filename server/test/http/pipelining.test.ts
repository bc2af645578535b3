import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { openSocket, readAll } from '../support/http.ts';
import { useLargeFile } from '../support/large-file.ts';
import { orderIds } from '../support/orders.ts';
import { useService } from '../support/service.ts';

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const cancel = (id: number, key: string, more = '') =>
  `DELETE /v1/store/orders/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${more}\r\n`;
const statuses = (wire: Buffer) =>
  Array.from(wire.toString('latin1').matchAll(/HTTP\/1\.1 (\d+) /g), ([, code]) => Number(code));

/** Runs on a thread, which is blocked until it may send more, and reads nothing before. */
function sendMoreLater(): void {
  const { workerData, parentPort } = process.getBuiltinModule('node:worker_threads');
  const { port, sent, maySend } = workerData as { port: number; sent: string; maySend: Int32Array };
  const socket = process.getBuiltinModule('node:net').connect(port, '127.0.0.1', () => {
    socket.write(sent);
    Atomics.wait(maySend, 0, 0);
    socket.write(sent);
    socket.write(sent);
  });
  let wire = '';
  socket.setEncoding('latin1').on('data', (text) => {
    wire += text;
  });
  socket.on('error', () => {}).once('close', () => parentPort?.postMessage(wire));
}

const large = useLargeFile();

describe.each(anyEngine)('a request that arrives before the previous response on $name', (engine) => {
  const service = useService(engine, large.options);

  it('is not processed: the connection is closed after the first response, which has Connection: close', async () => {
    const { port, openStore } = service();
    const store = await openStore();
    const socket = await openSocket(port);
    socket.write(cancel(2, store.key) + cancel(4, store.key) + cancel(6, store.key));
    const wire = await readAll(socket);
    expect(statuses(wire)).toEqual([204]);
    expect(String(wire)).toMatch(/\r\nConnection: close\r\n/i);
    const ids = await orderIds(service(), store);
    expect([2n, 4n, 6n].filter((id) => ids.includes(id))).toEqual([4n, 6n]);
  });

  it.each([
    ['', ''],
    [', nor invited to send a body', 'Expect: 100-continue\r\nContent-Length: 2\r\n'],
  ])('is not processed either%s if the first response had begun', async (_, more) => {
    const { port, request, openStore } = service();
    const store = await openStore();
    const socket = await openSocket(port);
    socket.write(get(large.path));
    const [first] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    socket.write(cancel(2, store.key, more));
    await request('GET /healthz');
    const wire = Buffer.concat([first, await readAll(socket.resume())]);
    expect(statuses(wire)).toEqual([200]);
    const { headers } = await request(`GET ${large.path}`);
    const head = wire.indexOf('\r\n\r\n') + 4;
    expect(wire.length - head).toBe(Number(headers['content-length']));
    expect(await orderIds(service(), store)).toContain(2n);
  });

  it.each([
    ['bytes that are not HTTP', 'hello\r\n\r\n'],
    ['a CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'],
    ['a broken body', 'POST /v1/pets HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz'],
    ['an expectation', get('/healthz', 'Expect: 100-continue\r\n')],
  ])('leaves the first response complete if it is %s', async (_, bytes) => {
    const { port, openStore } = service();
    const { key } = await openStore();
    const socket = await openSocket(port);
    socket.write(get('/v1/store/orders', `Authorization: Bearer ${key}\r\n`) + bytes);
    const wire = await readAll(socket);
    expect(statuses(wire)).toEqual([200]);
    expect(JSON.parse(String(wire).split('\r\n\r\n')[1] ?? '')).toHaveLength(40);
  });

  it.each([
    ['is whole', get('/healthz').repeat(2)],
    ['has headers beyond the limit', get('/healthz', `X: ${'x'.repeat(70_000)}\r\n`)],
  ])('does not cost a sending client its response, if it %s', async (_, bytes) => {
    const { port, openStore, request, log } = service();
    const { key } = await openStore();
    const id = randomUUID();
    const maySend = new Int32Array(new SharedArrayBuffer(4));
    const sent = cancel(2, key, `X-Request-Id: ${id}\r\n`) + bytes;
    const client = new Worker(`(${sendMoreLater})()`, { eval: true, workerData: { port, sent, maySend } });
    const received = once(client, 'message');
    await expect.poll(() => log.some((line) => line.includes(id))).toBe(true);
    await request('GET /healthz');
    Atomics.store(maySend, 0, 1);
    Atomics.notify(maySend, 0);
    const [wire] = await received;
    expect(statuses(Buffer.from(wire))).toEqual([204]);
  });

  it('is harmless if it has a body and its client reads nothing', async () => {
    const { port, request } = service();
    const bytes = `${get(large.path)}GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx${get('/')}`;
    const sockets = await Promise.all(Array.from({ length: 8 }, () => openSocket(port)));
    for (const socket of sockets) socket.pause().write(bytes);
    for (let i = 0; i < 20; i++) expect((await request('GET /healthz')).status).toBe(200);
    for (const wire of await Promise.all(sockets.map((socket) => readAll(socket.resume()))))
      expect(statuses(wire)).toEqual([200]);
  });

  it('is never started: 10,000 requests in one write get one response', async () => {
    const { port, request, log } = service();
    const before = log.length;
    const socket = await openSocket(port);
    socket.write(get('/healthz').repeat(10_000));
    expect(statuses(await readAll(socket))).toEqual([200]);
    expect((await request('GET /healthz')).status).toBe(200);
    expect(log.length - before).toBe(2);
  });

  it('is buffered no longer than its connection lives, within an overall limit', async () => {
    const { port, request, app } = service();
    let closed = 0;
    let read = 0;
    const count = () => read++;
    app.server.on('request', count);
    const sockets = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = await openSocket(port);
        socket.on('error', () => {}).once('close', () => closed++);
        // The first response is larger than the kernel buffers, so that it stays in progress.
        socket.pause().write(get(large.path) + get('/').repeat(5_000));
        return socket;
      }),
    );
    // Beyond 10,000 a connection is closed at once.
    await expect.poll(() => read).toBeGreaterThan(10_000);
    for (let i = 0; i < 20; i++) expect((await request('GET /healthz')).status).toBe(200);
    app.server.off('request', count);
    for (const socket of sockets) socket.resume();
    await expect.poll(() => closed).toBe(20);
  });
});
