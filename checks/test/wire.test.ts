import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { openWire } from '../src/engine/wire.ts';

describe('the recording proxy', () => {
  it('forwards nothing of a request without a response, even if its body arrives later', async () => {
    const received = Promise.withResolvers<string>();
    await using service = createServer((socket) => received.resolve(text(socket))).listen(0, '127.0.0.1');
    await once(service, 'listening');
    await using wire = await openWire((service.address() as AddressInfo).port);
    const silenced = Promise.withResolvers<void>();
    wire.onRequest = async () => void silenced.resolve();

    const client = connect(Number(new URL(wire.origin).port), '127.0.0.1');
    client.write('POST /v2/store/orders HTTP/1.1\r\nHost: a\r\nContent-Length: 24\r\n\r\n');
    await silenced.promise;
    client.end('{"petId":1,"quantity":1}');

    expect(await received.promise).toBe('');
  });

  const request = 'GET /v1/store/orders HTTP/1.1\r\nHost: a\r\n\r\n';
  const start = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[';
  it.each([
    { what: 'a request without a response', received: '' },
    { what: 'a body that stalls', received: start },
  ])(
    'keeps $what waiting after the service has timed out and closed its connection',
    async ({ received }) => {
      const accepted = Promise.withResolvers<Socket>();
      await using service = createServer(accepted.resolve).listen(0, '127.0.0.1');
      await once(service, 'listening');
      await using wire = await openWire((service.address() as AddressInfo).port);
      const port = Number(new URL(wire.origin).port);
      const silenced = Promise.withResolvers<void>();
      if (received === '') wire.onRequest = async () => void silenced.resolve();
      else wire.change = () => ({ passed: Buffer.from(received), afterwards: 'stall' });

      const client = connect(port, '127.0.0.1');
      let [passed, hasEnded] = ['', false];
      client.on('data', (bytes) => {
        passed += bytes;
      });
      client.on('end', () => {
        hasEnded = true;
      });
      client.write(request);
      const socket = await accepted.promise;
      if (received !== '') {
        socket.write(`${start}]`);
        await once(client, 'data');
      } else await silenced.promise;
      socket.resume().end('HTTP/1.1 408 Request Timeout\r\n\r\n');
      await once(socket, 'close');

      // A connection that is opened and closed later: what the proxy passes on arrives before.
      await once(connect(port, '127.0.0.1').resume().end(), 'close');
      expect({ passed, hasEnded }).toEqual({ passed: received, hasEnded: false });
      client.destroy();
    },
  );
});
