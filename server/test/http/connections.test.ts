import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectionsAllowed } from '../../src/commands/connections-allowed.ts';
import { sqlite } from '../support/engines.ts';
import { openSocket, readAll } from '../support/http.ts';
import { startService } from '../support/service.ts';

describe('connections', () => {
  it('that go on get the same head, which we write, as those that end, where Node does', async () => {
    // A list that memory cannot hold is sent while it is read.
    await using service = await startService(sqlite, { lists: { slice: 2, mostBytes: 0, budget: 0 } });
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
      const [goingOn, ending] = [await openSocket(service.port), await openSocket(service.port)];
      goingOn.write(`${target} HTTP/1.1\r\n${common}\r\n${headers}\r\n`);
      const [first] = (await once(goingOn, 'data')) as [Buffer];
      goingOn.destroy();
      ending.write(`${target} HTTP/1.1\r\n${common}\r\n${headers}Connection: close\r\n\r\n`);
      const expected = linesOf(await readAll(ending)).flatMap((line) =>
        line === 'Connection: close' ? ['Connection: keep-alive', 'Keep-Alive: timeout=72'] : [line],
      );
      expect(expected).toContain('Connection: keep-alive');
      expect(linesOf(first)).toEqual(expected);
    }
  });

  it('beyond the limit are closed at once and logged once; as soon as one is free, the next is answered', async () => {
    await using service = await startService(sqlite, { connections: { most: 3 } });
    const open = await Promise.all([1, 2, 3].map(() => openSocket(service.port)));
    for (const socket of open) {
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'data');
    }
    for (let i = 0; i < 5; i++) {
      const refused = await openSocket(service.port).catch(() => undefined);
      refused?.on('error', () => {}).resume();
      if (refused && !refused.destroyed) await new Promise((resolve) => refused.once('close', resolve));
    }
    expect(service.log.filter((line) => line.includes('connections were refused'))).toHaveLength(1);

    for (const socket of open) socket.destroy();
    for (;;) {
      const answer = await service.request('GET /healthz').catch(() => undefined);
      if (answer?.status === 200) break;
    }
  });

  it('are as many as the files that may be open allow', () => {
    const openFiles = Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
    expect(connectionsAllowed(1)).toBe(Math.min(10_000, Math.floor(0.75 * openFiles)));
    expect(connectionsAllowed(2)).toBe(Math.min(10_000, Math.floor((0.75 * openFiles) / 2)));
  });

  it('wait a minute for their client, more than 72 seconds for its next request, and an hour for our answer', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    let reads = Promise.withResolvers<void>();
    await using service = await startService(sqlite, {
      wrap: (db) => ({ ...db, all: (query, params) => reads.promise.then(() => db.all(query, params)) }),
    });
    using _ = { [Symbol.dispose]: () => reads.resolve() };
    expect(service.app.server.requestTimeout).toBe(60_000);
    const { key } = await service.openStore();
    const send = async (bytes: string) => {
      const accepted = once(service.app.server, 'connection');
      const client = await openSocket(service.port);
      client.write(bytes);
      const [socket] = (await accepted) as [Socket];
      while (socket.bytesRead < bytes.length) await new Promise((resolve) => setImmediate(resolve));
      return { client, socket };
    };
    const halfAsked = await send('GET /heal');
    const answered = await send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(answered.client, 'data');
    const asking = `GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    // What it asks for next is read once it is answered, so that its silence is no silence.
    const waiting = await send(
      `${asking}POST /v2/store/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n`,
    );
    const closedAfter = (ms: number) => {
      vi.advanceTimersByTime(ms);
      return [halfAsked, answered, waiting].map(({ socket }) => socket.destroyed);
    };
    expect(closedAfter(60_000)).toEqual([false, false, false]);
    expect(closedAfter(5_000)).toEqual([true, false, false]);
    expect(closedAfter(10_000)).toEqual([true, false, false]);
    expect(closedAfter(5_000)).toEqual([true, true, false]);
    expect(closedAfter(3_500_000)).toEqual([true, true, false]);
    const other = await send(asking);
    reads.resolve();
    for (const { client } of [waiting, other])
      expect(String((await once(client, 'data'))[0])).toMatch(/^HTTP\/1.1 200 /);

    reads = Promise.withResolvers();
    other.client.write(asking);
    while (other.socket.bytesRead < 2 * asking.length) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(3_590_000);
    expect(other.socket.destroyed).toBe(false);
    vi.advanceTimersByTime(30_000);
    expect(other.socket.destroyed).toBe(true);
    for (const { client } of [halfAsked, answered, waiting, other]) client.destroy();
  });

  it('on which nothing moves are closed in the same time whether their client is silent or does not read', async () => {
    const silenceMs = 3_000;
    await using service = await startService(sqlite, { connections: { silenceMs } });
    await service.request('GET /docs/js/scalar.js');
    // The server's side tells when it gave up: a client that does not read does not see it.
    const closed: Array<number | undefined> = [];
    service.app.server.on('connection', (socket) => {
      const port = socket.remotePort;
      socket.once('close', () => closed.push(port));
    });
    const send = async (bytes: string) => {
      const socket = await openSocket(service.port);
      socket.on('error', () => {}).pause();
      socket.write(bytes);
      return socket;
    };
    const notReading = await send('GET /docs/js/scalar.js HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3));
    const first = notReading.localPort;
    await new Promise((resolve) => setTimeout(resolve, silenceMs / 2));
    const silent = await send('GET /heal');
    const second = silent.localPort;
    await vi.waitFor(() => expect(closed).toContain(second), { timeout: 200_000 });
    expect(closed.filter((port) => port === first || port === second)).toEqual([first, second]);
    notReading.destroy();
    silent.destroy();
  });
});

function linesOf(answer: Buffer): string[] {
  const [head = ''] = String(answer).split('\r\n\r\n');
  return head.replace(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/m, 'Date: now').split('\r\n');
}
