import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

/** What to do with a COMMIT on its way to the server. */
export type CommitFate =
  | 'arrives'
  | 'is lost'
  | 'commits, but its response is lost'
  | 'is lost, and gets an error without a code'
  | 'commits, but gets an error without a code';

/** An error as from a proxy, without an SQLSTATE. The transaction seems to have ended. */
const errorWithoutCode = Buffer.from([
  ...message('E', 'SERROR\0VERROR\0Mthe link is broken\0\0'),
  ...message('Z', 'I'),
]);

function message(type: string, content: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(content)]);
}

export interface DatabaseProxy extends TcpProxy {
  fate: CommitFate;
  /** Commits that met another fate than arriving. */
  readonly lost: number;
}

/** A proxy between the program and its database that can lose a COMMIT or its response. */
export async function startProxy(targetPort: number): Promise<DatabaseProxy> {
  const state = { fate: 'arrives' as CommitFate, lost: 0 };
  const proxy = await startTcpProxy(targetPort, ({ client, upstream, cut }) => {
    let response: Buffer | 'none' | undefined;
    client.on('data', (bytes) => {
      if (state.fate !== 'arrives' && bytes.includes('COMMIT\0')) {
        state.lost++;
        if (state.fate === 'is lost') return cut();
        if (state.fate.startsWith('is lost,')) return client.write(errorWithoutCode);
        response = state.fate.startsWith('is made') ? errorWithoutCode : 'none';
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (response === 'none') return cut();
      client.write(response ?? bytes);
      response = undefined;
    });
  });
  return Object.assign(state, proxy);
}
