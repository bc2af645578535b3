import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
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
});
