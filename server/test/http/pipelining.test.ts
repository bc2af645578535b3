import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { openSocket, readAll } from '../support/http.ts';
import { insertOrders, orderIds } from '../support/orders.ts';
import { useService } from '../support/service.ts';

const MEGABYTE = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heldBytes(): number {
  collectGarbage();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const last = 'Connection: close\r\n';
const statuses = (wire: Buffer) =>
  Array.from(wire.toString('latin1').matchAll(/HTTP\/1\.1 (\d+) /g), ([, code]) => Number(code));

describe.each(anyEngine)('requests pipelined on one connection on $name', (engine) => {
  const service = useService(engine);

  it('are answered in their order, each as if it had come alone', async () => {
    const { port, openStore } = service();
    const store = await openStore();
    const key = `Authorization: Bearer ${store.key}\r\n`;
    const socket = await openSocket(port);
    const reading = readAll(socket);
    const body = '{"petId":1,"quantity":1}';
    socket.write(
      [
        get('/v1/store/orders', key),
        get('/v1/nothing'),
        `HEAD /v1/pets HTTP/1.1\r\nHost: x\r\n${key}\r\n`,
        `DELETE /v1/store/orders/2 HTTP/1.1\r\nHost: x\r\n${key}\r\n`,
        `DELETE /v1/store/orders/2 HTTP/1.1\r\nHost: x\r\n${key}\r\n`,
        `POST /v2/store/orders HTTP/1.1\r\nHost: x\r\n${key}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        get('/v1/pets', `${key}Expect: nonsense\r\n`),
        get('/healthz', last),
        get('/healthz'),
      ].join(''),
    );
    expect(statuses(await reading)).toEqual([200, 401, 200, 204, 404, 201, 200, 200]);
    expect(await orderIds(service(), store)).toContain(41n);
  });

  it.each([
    ['bytes that are not HTTP', 'hello\r\n\r\n', 400],
    ['a CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', 405],
    [
      'a broken body',
      'DELETE /v1/store/orders/2 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz',
      400,
    ],
  ])('are all answered before %s', async (_, bytes, status) => {
    const { port, openStore } = service();
    const { key } = await openStore();
    const socket = await openSocket(port);
    const reading = readAll(socket);
    socket.write(get('/v1/store/orders', `Authorization: Bearer ${key}\r\n`).repeat(3) + bytes);
    expect(statuses(await reading)).toEqual([200, 200, 200, status]);
  });

  it('wait with a body that comes in many pieces, and are answered once it is there', async () => {
    const { port, openStore } = service();
    const { key } = await openStore();
    const body = `{"petId":1,"quantity":1${' '.repeat(60_000)}}`;
    const socket = await openSocket(port);
    const reading = readAll(socket);
    const place = `POST /v2/store/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    socket.write(place.repeat(20) + get('/healthz', last));
    expect(statuses(await reading)).toEqual([...Array.from({ length: 20 }, () => 201), 200]);
  });

  it('are read no further ahead than needed: whoever does not read holds one answer, not all', async () => {
    const { port, request, log } = service();
    const { bytes } = await request('GET /docs/js/scalar.js');
    const before = heldBytes();
    const logged = log.length;
    const asked = 20_000;
    const socket = await openSocket(port);
    socket.pause();
    socket.write(
      get('/docs/js/scalar.js').repeat(200) + get('/nothing').repeat(asked) + get('/healthz', last),
    );
    // Whatever is answered on other connections meanwhile gives this one every chance to go on.
    for (let i = 0; i < 50; i++) await request('GET /healthz');
    expect(heldBytes() - before).toBeLessThan(24 * MEGABYTE);
    const answered = log.slice(logged).filter((line) => line.includes('scalar.js'));
    expect(answered.length).toBeLessThanOrEqual(4);

    socket.resume();
    let length = 0;
    let end = '';
    socket.on('data', (chunk: Buffer) => {
      length += chunk.length;
      end = (end + chunk.toString('latin1')).slice(-1000);
    });
    await new Promise((resolve) => socket.once('close', resolve));
    expect(length).toBeGreaterThan(200 * bytes.length + asked * 100);
    expect(end).toContain('{"status":"ok"}');
  });

  it('are bounded over all connections: the greediest are closed, and who sends few is answered', async () => {
    const { port, request } = service();
    await request('GET /docs/js/scalar.js');
    const before = heldBytes();
    const modest = await openSocket(port);
    modest.pause();
    modest.write(get('/docs/js/scalar.js') + get('/healthz').repeat(20) + get('/healthz', last));
    await request('GET /healthz');
    let closed = 0;
    const greedy = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = await openSocket(port);
        socket.on('error', () => {}).once('close', () => closed++);
        socket.pause();
        // The first answer is more than the system takes, so that the others wait.
        socket.write(get('/docs/js/scalar.js').repeat(10) + get('/nothing').repeat(1_500));
        return socket;
      }),
    );
    for (let i = 0; i < 50; i++) await request('GET /healthz');
    // Some 5,000 wait, of the 30,000 that were sent.
    expect(heldBytes() - before).toBeLessThan(40 * MEGABYTE);
    const wire = await readAll(modest.resume());
    expect(statuses(wire)).toEqual(Array.from({ length: 22 }, () => 200));
    for (const socket of greedy) socket.resume();
    await vi.waitFor(() => expect(closed).toBeGreaterThanOrEqual(16), { timeout: 100_000 });
    expect(closed).toBeLessThan(20);
    for (const socket of greedy) socket.destroy();
  });

  it('are read from a few connections in each turn of the event loop, however many have some ready', async () => {
    const { port, app } = service();
    const [connections, each] = [20, 200];
    const sockets = await Promise.all(Array.from({ length: connections }, () => openSocket(port)));
    // One that was answered has been accepted.
    for (const socket of sockets) {
      socket.write(get('/healthz'));
      await once(socket, 'data');
    }
    const answers = sockets.map((socket) => readAll(socket));
    let read = 0;
    let mostInATurn = 0;
    const endTurn = () => {
      mostInATurn = Math.max(mostInATurn, read);
      read = 0;
    };
    const count = () => {
      if (++read === 1) setImmediate(endTurn);
    };
    app.server.on('request', count);
    // What is written in one turn has all arrived by the next.
    for (const socket of sockets) socket.write(get('/healthz').repeat(each - 1) + get('/healthz', last));
    const wires = await Promise.all(answers);
    app.server.off('request', count);
    expect(mostInATurn).toBeLessThan(500 + 2 * each);
    for (const wire of wires) expect(statuses(wire)).toEqual(Array.from({ length: each }, () => 200));
  });

  it('leave nothing behind when their client leaves, and those not begun are not done', async () => {
    const { port, request, openStore } = service();
    const store = await openStore();
    await request('GET /docs/js/scalar.js');
    const before = heldBytes();
    for (let i = 0; i < 20; i++) {
      const socket = await openSocket(port);
      socket.pause();
      socket.write(get('/docs/js/scalar.js').repeat(20));
      socket.write(
        `DELETE /v1/store/orders/2 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${store.key}\r\n\r\n`,
      );
      await request('GET /healthz');
      socket.resetAndDestroy();
    }
    await vi.waitFor(() => expect(heldBytes() - before).toBeLessThan(8 * MEGABYTE), { timeout: 100_000 });
    expect(await orderIds(service(), store)).toContain(2n);
  });

  it('let others have their turn: a light request is answered amid heavy ones', async () => {
    const { port, database, request, openStore } = service();
    const store = await openStore();
    await insertOrders(
      database,
      store,
      Array.from({ length: 2_000 }, (_, i) => BigInt(i + 100)),
    );
    const page = get('/v2/store/orders?limit=1000', `Authorization: Bearer ${store.key}\r\n`);
    const pages = 50;
    let answered = 0;
    const closed = Array.from({ length: 8 }, async () => {
      const socket = await openSocket(port);
      socket.on('data', (chunk: Buffer) => {
        answered += chunk.toString('latin1').split('HTTP/1.1 200 ').length - 1;
      });
      socket.write(page.repeat(pages) + get('/healthz', last));
      await new Promise((resolve) => socket.once('close', resolve));
    });
    await vi.waitFor(() => expect(answered).toBeGreaterThan(0), { interval: 1, timeout: 100_000 });
    for (let i = 0; i < 5; i++) {
      const before = answered;
      expect((await request('GET /healthz')).status).toBe(200);
      // One a connection may be under way, and some may have been sent and not yet seen here.
      expect(answered - before).toBeLessThanOrEqual(3 * 8);
    }
    await Promise.all(closed);
    expect(answered).toBe(8 * (pages + 1));
  });
});
