import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One proxied connection; the handler decides what to forward. */
export interface ProxiedConnection {
  readonly client: Socket;
  readonly upstream: Socket;
  /** Ends both sides at once. */
  cut(): void;
}

export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
}

/** A proxy for a local port, on another port. */
export async function startTcpProxy(
  target: number,
  pass: (connection: ProxiedConnection) => void,
): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', cut).on('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
    pass({ client, upstream, cut });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
