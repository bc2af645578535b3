import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

/** What to do with a COMMIT on its way to the server. */
export type CommitFate = 'arrives' | 'is lost' | 'is answered, but the answer is lost';

export interface DatabaseProxy extends TcpProxy {
  fate: CommitFate;
  /** Commits that met another fate than arriving. */
  readonly lost: number;
}

/** Stands between the program and its database, and can lose a COMMIT or the answer to it. */
export async function startProxy(targetPort: number): Promise<DatabaseProxy> {
  const state = { fate: 'arrives' as CommitFate, lost: 0 };
  const proxy = await startTcpProxy(targetPort, ({ client, upstream, cut }) => {
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
  return Object.assign(state, proxy);
}
