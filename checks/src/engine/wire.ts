import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Recorded characters per message. */
const MAX_RECORDED = 4_096;

/** A request and its response, as sent on the wire. */
export interface Exchange {
  /** The beginning of the request, and of the response. */
  asked: string;
  response: string;
  /** Time of the first byte of each, in milliseconds. */
  readonly requestedAt: number;
  responseAt: number;
}

/** A recording proxy. Forwards bytes unchanged unless `change` is set. */
export interface Wire extends AsyncDisposable {
  readonly origin: string;
  readonly exchanges: Exchange[];
  /** Called when a request arrives. */
  onAsked: () => void;
  /** Transforms the bytes sent to the client; `cut` closes the connection afterwards. */
  change: (bytes: Buffer) => { readonly passed: Buffer; readonly cut?: boolean };
}

export async function openWire(target: number): Promise<Wire> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const service = connect(target, '127.0.0.1');
    let exchange: Exchange | undefined;
    client.on('data', (bytes: Buffer) => {
      // Bytes after a final response start a new request. A 1xx response is not final.
      if (!exchange || (exchange.response !== '' && !/^HTTP\/1.1 1/.test(exchange.response))) {
        exchange = { asked: '', response: '', requestedAt: Date.now(), responseAt: 0 };
        wire.exchanges.push(exchange);
        wire.onAsked();
      }
      if (exchange.asked.length < MAX_RECORDED) exchange.asked += bytes.toString();
      service.write(bytes) || client.pause();
    });
    service.on('data', (bytes: Buffer) => {
      const { passed, cut = false } = wire.change(bytes);
      if (exchange) {
        exchange.responseAt ||= Date.now();
        if (exchange.response.length < MAX_RECORDED) exchange.response += passed.toString();
      }
      client.write(passed) || service.pause();
      if (cut) service.destroy();
    });
    for (const [one, other] of [[client, service] as const, [service, client] as const]) {
      sockets.add(one);
      one.on('drain', () => other.resume());
      one.on('end', () => other.end());
      one.on('error', ({ code }: NodeJS.ErrnoException) => {
        if (code === 'ECONNRESET') other.resetAndDestroy();
      });
      one.on('close', () => {
        sockets.delete(one);
        other.destroySoon();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const wire: Wire = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges: [],
    onAsked: () => {},
    change: (passed) => ({ passed }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return wire;
}

/** The response status; undefined without a response. */
export function statusOf({ response }: Exchange): number | undefined {
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(response)?.[1];
  return status === undefined ? undefined : Number(status);
}
