import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { connectionsAllowed } from '../../src/commands/connections-allowed.ts';
import { sqlite } from '../support/engines.ts';
import { openSocket, readAll } from '../support/http.ts';
import { startService } from '../support/service.ts';

describe('connections', () => {
  it('that go on get the same head, which we write, as those that end, where Node does', async () => {
    await using service = await startService(sqlite);
    const { key } = await service.openStore();
    const common = `Host: x\r\nAuthorization: Bearer ${key}\r\nX-Request-Id: a`;
    for (const [target, headers] of [
      ['GET /v1/pets', ''],
      ['HEAD /v1/pets', ''],
      ['GET /v1/pets', 'If-None-Match: *\r\n'],
      ['GET /v2/store/orders/1', ''],
      ['GET /healthz', ''],
      ['OPTIONS /v1/pets', 'Origin: http://x\r\nAccess-Control-Request-Method: GET\r\n'],
    ]) {
      const socket = await openSocket(service.port);
      socket.write(`${target} HTTP/1.1\r\n${common}\r\n${headers}\r\n`);
      const [first] = (await once(socket, 'data')) as [Buffer];
      socket.write(`${target} HTTP/1.1\r\n${common}\r\n${headers}Connection: close\r\n\r\n`);
      const expected = linesOf(await readAll(socket)).flatMap((line) =>
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

  it('have the documented limits where nobody says otherwise', async () => {
    await using service = await startService(sqlite);
    const { requestTimeout, timeout, keepAliveTimeout } = service.app.server;
    // A connection is looked at six times in its minute of silence.
    expect([requestTimeout, 6 * timeout, keepAliveTimeout]).toEqual([60_000, 60_000, 72_000]);
    const openFiles = Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
    expect(connectionsAllowed(1)).toBe(Math.min(10_000, Math.floor(0.75 * openFiles)));
    expect(connectionsAllowed(2)).toBe(Math.min(10_000, Math.floor((0.75 * openFiles) / 2)));
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
  return String(answer)
    .replace(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/m, 'Date: now')
    .split('\r\n');
}
