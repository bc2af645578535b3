import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { openSocket, parseResponse, readAll } from '../support/http.ts';
import { orderIds } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { withTimeouts } from '../support/with-timeouts.ts';

/** A stop that waits for requests without a time limit. */
const patientStop = { connections: { graceMs: 1e9 } };

describe.each(anyEngine)('when something fails on $name', (engine) => {
  it('500: a crash reveals nothing to the client, and is logged with the request id', async () => {
    let broken = false;
    let thrown: unknown;
    await using service = await startService(engine, {
      wrap: (db) => ({
        ...db,
        all: (query, params) => {
          if (broken) throw thrown;
          return db.all(query, params);
        },
      }),
    });
    const { key } = await service.openStore();
    const sent = { key, headers: { 'x-request-id': 'crashed' } };
    broken = true;
    const targets = ['GET /v1/pets', 'GET /v1/store/orders', 'DELETE /v1/store/orders/2', 'GET /v1/pets/1'];
    const all = [new TypeError('internals at /etc/secrets'), 'internals', undefined, { internals: true }];
    for (const [target, error] of targets.flatMap((target) => all.map((error) => [target, error] as const))) {
      thrown = error;
      const response = await service.request(target, sent);
      expect([response.status, response.json()]).toMatchObject([
        500,
        { code: 'internal_error', status: 500n },
      ]);
      expect(JSON.stringify([response.text, response.headers])).not.toMatch(/internals|TypeError|\.ts/);
    }
    // Background jobs meet the same error, and may log it first.
    const line = service.log.find((line) => line.includes('"crashed"') && line.includes('internals at'));
    expect(JSON.parse(line ?? '')).toMatchObject({
      level: 'error',
      id: 'crashed',
      err: { type: 'TypeError' },
    });
    broken = false;
    expect((await service.request('GET /v1/pets', sent)).status).toBe(200);
  });

  it('500: any value that a handler throws', async () => {
    const thrown = [
      new Error('internals'),
      Object.assign(new Error('internals'), { statusCode: 418, code: 'E_TEAPOT' }),
      Object.assign(new Error('internals'), { status: 200 }),
      'internals',
      null,
      undefined,
      { internals: true },
    ];
    await using service = await startService(engine, {
      prepare: (app) => {
        for (const [i, error] of thrown.entries()) {
          const failing = async () => {
            throw error;
          };
          const failingAtOnce = () => {
            throw error;
          };
          app.routes.serve(`/async/${i}`, { GET: [failing] });
          app.routes.serve(`/sync/${i}`, { GET: [failingAtOnce] });
        }
      },
    });
    for (const i of thrown.keys()) {
      for (const kind of ['async', 'sync']) {
        const response = await service.request(`GET /${kind}/${i}`);
        expect([kind, i, response.status, response.json()]).toMatchObject([
          kind,
          i,
          500,
          { code: 'internal_error' },
        ]);
        expect(response.text).not.toContain('internals');
      }
    }
  });

  it('503: a change the database cannot take now, with Retry-After, and nothing changed', async () => {
    // PostgreSQL has its own lock timeout (`postgres/faults`).
    using _ = withTimeouts({ busyTimeoutMs: 100 });
    await using service = await startService(engine);
    const store = await service.openStore();
    {
      await using _locked = await service.database.holdWriters();
      const rejected = service.request('DELETE /v1/store/orders/2', { key: store.key });
      // Reads still work.
      expect(await orderIds(service, store)).toHaveLength(40);
      const response = await rejected;
      expect([response.status, response.json()]).toMatchObject([503, { code: 'unavailable', status: 503n }]);
      expect(response.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    }
    expect(await orderIds(service, store)).toContain(2n);
    expect((await service.request('DELETE /v1/store/orders/2', { key: store.key })).status).toBe(204);
  });

  it('finishes running requests on close and rejects new ones', async () => {
    const arrived = Promise.withResolvers<void>();
    await using service = await startService(engine, {
      ...patientStop,
      prepare: (app) => {
        app.server.on('request', ({ method }) => {
          if (method === 'DELETE') arrived.resolve();
        });
      },
    });
    const store = await service.openStore();
    const head = `HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${store.key}\r\n`;
    const socket = await openSocket(service.port);
    const reading = readAll(socket);
    let closed: Promise<unknown>;
    {
      await using _ = await service.database.holdWriters();
      socket.write(`DELETE /v1/store/orders/2 ${head}\r\n`);
      await arrived.promise;
      closed = service.app.close();
      while (await accepts(service.port));
    }
    const response = parseResponse(await reading);
    expect(response).toMatchObject({ status: 204, headers: { connection: 'close' } });
    await closed;
  });

  it('sends slow readers the rest of a response on close', async () => {
    // More than the kernel buffers.
    const body = Buffer.alloc(16 * 1024 * 1024);
    await using service = await startService(engine, {
      ...patientStop,
      prepare: ({ routes }) => routes.serve('/large', { GET: [() => ({ status: 200, body })] }),
    });
    const readers = Array.from({ length: 8 }, async () => {
      const socket = await openSocket(service.port);
      socket.write(`GET /large HTTP/1.1\r\nHost: x\r\n\r\n`);
      return readSlowly(socket);
    });
    const begun = await Promise.all(readers);
    const closed = service.app.close();
    for (const { all } of begun) {
      const wire = await all;
      expect(wire.length - wire.indexOf('\r\n\r\n') - 4).toBe(body.length);
    }
    await closed;
  });
});

/** Reads part of a response now and then. Reports that it has begun, and what arrived in the end. */
async function readSlowly(socket: Socket): Promise<{ all: Promise<Buffer> }> {
  const pieces: Buffer[] = [];
  socket.on('data', (step: Buffer) => {
    pieces.push(step);
    if (pieces.length % 16 !== 1) return;
    socket.pause();
    setTimeout(() => socket.resume(), 5);
  });
  const all = once(socket, 'close').then(() => Buffer.concat(pieces));
  await once(socket, 'data');
  return { all };
}

async function accepts(port: number): Promise<boolean> {
  try {
    const socket = await openSocket(port);
    socket.destroy();
    await once(socket, 'close');
    return true;
  } catch {
    return false;
  }
}
