import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What to do with a COMMIT on its way to the server. */
export type CommitFate = 'arrives' | 'is lost' | 'is answered, but the answer is lost';

export interface DatabaseProxy extends AsyncDisposable {
  readonly port: number;
  fate: CommitFate;
  /** Commits that met another fate than arriving. */
  readonly lost: number;
}

/** Stands between the program and its database, and can lose a COMMIT or the answer to it. */
export async function startProxy(targetPort: number): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>();
  const state = { fate: 'arrives' as CommitFate, lost: 0 };

  const server = createServer((client) => {
    const upstream = connect(targetPort, '127.0.0.1');
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
    let deaf = false;
    client.on('data', (bytes) => {
      if (state.fate !== 'arrives' && bytes.includes('COMMIT\0')) {
        state.lost++;
        if (state.fate === 'is lost') return cut();
        deaf = true;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => (deaf ? cut() : client.write(bytes)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return Object.assign(state, {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  });
}
