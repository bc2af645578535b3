import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { serveConfigFrom } from '../../src/config/serve-config.ts';
import { sqlite } from '../support/engines.ts';
import { openSocket, parseResponse, readAll } from '../support/http.ts';
import { useLargeFile } from '../support/large-file.ts';
import { startService, type TestService } from '../support/service.ts';

const large = useLargeFile();

describe('connections', () => {
  it('that are kept alive get the same response head as Node’s closing ones', async () => {
    // A list that memory cannot hold is sent while it is read.
    await using service = await startService(sqlite, { lists: { rowsPerTick: 2, maxBytes: 0, budget: 0 } });
    const { key } = await service.openStore();
    const common = `Host: x\r\nAuthorization: Bearer ${key}\r\nX-Request-Id: a`;
    for (const [target, headers] of [
      ['GET /v1/pets', ''],
      ['HEAD /v1/pets', ''],
      ['GET /v1/pets', 'If-None-Match: *\r\n'],
      ['GET /v2/pets', ''],
      ['GET /v2/store/orders/1', ''],
      ['GET /v1/nothing', ''],
      ['GET /healthz', ''],
      ['OPTIONS /v1/pets', 'Origin: http://x\r\nAccess-Control-Request-Method: GET\r\n'],
    ]) {
      const [keptAlive, closing] = [await openSocket(service.port), await openSocket(service.port)];
      keptAlive.write(`${target} HTTP/1.1\r\n${common}\r\n${headers}\r\n`);
      const [first] = (await once(keptAlive, 'data')) as [Buffer];
      keptAlive.destroy();
      closing.write(`${target} HTTP/1.1\r\n${common}\r\n${headers}Connection: close\r\n\r\n`);
      const expected = linesOf(await readAll(closing)).flatMap((line) =>
        line === 'Connection: close' ? ['Connection: keep-alive', 'Keep-Alive: timeout=72'] : [line],
      );
      expect(expected).toContain('Connection: keep-alive');
      expect(linesOf(first)).toEqual(expected);
    }
  });

  it('beyond the limit are closed at once and logged once; when one is free, the next is served', async () => {
    await using service = await startService(sqlite, { connections: { max: 3 } });
    const open = await Promise.all([1, 2, 3].map(() => openSocket(service.port)));
    for (const socket of open) {
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'data');
    }
    for (let i = 0; i < 5; i++) {
      const rejected = await openSocket(service.port).catch(() => undefined);
      rejected?.on('error', () => {}).resume();
      if (rejected && !rejected.destroyed) await new Promise((resolve) => rejected.once('close', resolve));
    }
    expect(service.log.filter((line) => line.includes('connections rejected'))).toHaveLength(1);

    for (const socket of open) socket.destroy();
    for (;;) {
      const response = await service.request('GET /healthz').catch(() => undefined);
      if (response?.status === 200) break;
    }
  });

  it('are limited by the number of files that may be open', () => {
    const openFiles = Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
    expect(serveConfigFrom({ deployment: 'staging' }).connections.max).toBe(
      Math.min(10_000, Math.floor(0.75 * openFiles)),
    );
    expect(serveConfigFrom({}).connections.max).toBe(Math.min(10_000, Math.floor((0.75 * openFiles) / 2)));
  });

  it.each([
    [{}, { max: 250, maxPerAddress: 25 }],
    [{ 'max-connections-per-address': '10' }, { max: 250, maxPerAddress: 3 }],
    [{ 'max-connections-per-address': 'none' }, { max: 250, maxPerAddress: undefined }],
    [{ 'trust-proxy': true }, { max: 250, maxPerAddress: undefined }],
    [{ host: '127.0.0.1' }, { max: 250, maxPerAddress: undefined }],
  ])('are divided among the processes, a tenth of them per address: %j', (flags, connections) => {
    const all = { host: '0.0.0.0', workers: '4', 'max-connections': '1000', ...flags };
    expect(serveConfigFrom(all).connections).toEqual(connections);
  });

  it('time out after a minute for a request, 72 seconds for the next one, and an hour for a response', async () => {
    await using service = await startService(sqlite);
    expect(service.app.server).toMatchObject({
      headersTimeout: 60_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 72_000,
      timeout: 3_600_000,
    });
  });

  it('with an incomplete request in time get 408 and end, unless it already got a response', async () => {
    await using service = await startService(sqlite, { connections: { timeoutMs: 1_500 } });
    const { key } = await service.openStore();
    const head = `HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
    const halfBody = `${head}Content-Length: 100\r\n\r\n{"n`;
    const after = async (first: string, half: string) => {
      const socket = await openSocket(service.port);
      const wire = readAll(socket);
      if (first) await Promise.all([once(socket, 'data'), socket.write(first)]);
      socket.write(half);
      return String(await wire).split(/(?=HTTP\/1\.1 \d)/);
    };
    const full = `DELETE /v1/store/orders/4 ${head}Content-Length: 2\r\n\r\n{}`;
    const responses = await Promise.all([
      after('', `GET /v1/pets ${head}`),
      after('', `POST /v2/pets ${halfBody}`),
      after(full, `POST /v2/pets ${halfBody}`),
      after('', `DELETE /v1/store/orders/2 ${halfBody}`),
    ]);
    expect(responses.map((all) => all.map((wire) => Number(wire.slice(9, 12))))).toEqual([
      [408],
      [408],
      [204, 408],
      [204],
    ]);
    for (const [late = ''] of [responses[0], responses[1], responses[2]?.slice(1)].map((all) => all ?? [])) {
      const response = parseResponse(Buffer.from(late));
      expect(response.json()).toMatchObject({ code: 'request_timeout', status: 408n });
      expect(response.headers.connection).toBe('close');
    }
    expect((await service.request('GET /v2/pets', { key })).json<{ data: [] }>().data).toHaveLength(12);
  });

  it('whose client reads nothing of a response end after a minute, even if it keeps sending', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    await using service = await startService(sqlite, large.options);
    const { socket, client, drip } = await connect(service);
    client.pause();
    client.write(`GET ${large.path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await expect.poll(() => socket.writableLength).toBeGreaterThan(0);
    for (let seconds = 0; seconds < 60; seconds += 5) {
      expect(socket.destroyed).toBe(false);
      await drip(seconds % 2 === 0 ? '\r\n' : 'GET /');
      vi.advanceTimersByTime(5_000);
    }
    vi.advanceTimersByTime(10_000);
    expect(socket.destroyed).toBe(true);
    client.destroy();
  });

  it('whose client reads slowly stay open', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    await using service = await startService(sqlite, large.options);
    const { socket, client } = await connect(service);
    client.pause();
    client.write(`GET ${large.path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await expect.poll(() => socket.writableLength).toBeGreaterThan(0);
    vi.advanceTimersByTime(50_000);
    const before = socket.bytesWritten;
    client.resume();
    await expect.poll(() => socket.bytesWritten).toBeGreaterThan(before);
    client.pause();
    vi.advanceTimersByTime(55_000);
    expect(socket.destroyed).toBe(false);
    client.destroy();
  });

  it('with only empty lines after a response end as well', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    await using service = await startService(sqlite, large.options);
    const { socket, client, drip } = await connect(service);
    client.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(client, 'data');
    for (let seconds = 0; seconds < 190; seconds += 10) {
      expect(socket.destroyed).toBe(false);
      await drip('\r\n');
      vi.advanceTimersByTime(10_000);
    }
    vi.advanceTimersByTime(10_000);
    expect(socket.destroyed).toBe(true);
    client.destroy();
  });

  it('of one address beyond its share are closed at once, while others are served', async () => {
    await using service = await startService(sqlite, { connections: { max: 10, maxPerAddress: 3 } });
    const open = await Promise.all([1, 2, 3].map(() => openSocket(service.port)));
    for (const socket of open) {
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'data');
    }
    const fourth = await openSocket(service.port);
    fourth.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(String(await readAll(fourth))).toBe('');
    expect(service.log.filter((line) => line.includes('connections rejected'))).toHaveLength(1);
    const other = await openSocket(service.port, '127.0.0.2');
    other.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(String(await readAll(other))).toMatch(/^HTTP\/1.1 200 /);
    open.pop()?.destroy();
    const next = async () => {
      const socket = await openSocket(service.port);
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      return String(await readAll(socket));
    };
    await expect.poll(next).toMatch(/^HTTP\/1.1 200 /);
    for (const socket of open) socket.destroy();
  });
});

/** A connection from both sides. */
async function connect(service: TestService) {
  const accepted = once(service.app.server, 'connection');
  const client = await openSocket(service.port);
  const [socket] = (await accepted) as [Socket];
  return {
    client,
    socket,
    async drip(bytes: string) {
      const before = socket.bytesRead;
      client.write(bytes);
      await expect.poll(() => socket.bytesRead).toBeGreaterThan(before);
    },
  };
}

function linesOf(response: Buffer): string[] {
  const [head = ''] = String(response).split('\r\n\r\n');
  return head.replace(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/m, 'Date: now').split('\r\n');
}
