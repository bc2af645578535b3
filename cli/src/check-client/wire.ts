import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Of what is sent, no more than this is kept. */
const MOST_KEPT = 4_096;

/** One request as it was on the wire, and what came back. */
export interface Exchange {
  /** The beginning of what the client sent, and of what it got. */
  asked: string;
  answered: string;
  /** When the first byte of each passed, in milliseconds. */
  readonly askedAt: number;
  answeredAt: number;
}

/** Stands before a service, passes every byte as it is unless told otherwise, and notes it. */
export interface Wire extends AsyncDisposable {
  readonly origin: string;
  readonly exchanges: Exchange[];
  /** Is told of each request as it arrives. */
  onAsked: () => void;
  /** What of the service's bytes the client gets, and whether the connection then ends. */
  change: (bytes: Buffer) => { readonly passed: Buffer; readonly cut?: boolean };
}

export async function openWire(target: number): Promise<Wire> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const service = connect(target, '127.0.0.1');
    let exchange: Exchange | undefined;
    client.on('data', (bytes: Buffer) => {
      // Who speaks after an answer asks something new; that it may go on with a body is no answer yet.
      if (!exchange || (exchange.answered !== '' && !/^HTTP\/1.1 1/.test(exchange.answered))) {
        exchange = { asked: '', answered: '', askedAt: Date.now(), answeredAt: 0 };
        wire.exchanges.push(exchange);
        wire.onAsked();
      }
      if (exchange.asked.length < MOST_KEPT) exchange.asked += bytes.toString();
      service.write(bytes) || client.pause();
    });
    service.on('data', (bytes: Buffer) => {
      const { passed, cut = false } = wire.change(bytes);
      if (exchange) {
        exchange.answeredAt ||= Date.now();
        if (exchange.answered.length < MOST_KEPT) exchange.answered += passed.toString();
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

/** The status of the answer; undefined where none came. */
export function statusOf({ answered }: Exchange): number | undefined {
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(answered)?.[1];
  return status === undefined ? undefined : Number(status);
}
