import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Receiver extends Disposable {
  readonly url: string;
  /** Resolves when something was delivered. */
  readonly delivered: Promise<void>;
}

/** A webhook receiver that responds with this status and text, or never. */
export async function startReceiver(response?: { status: number; text: string }): Promise<Receiver> {
  const { promise: delivered, resolve } = Promise.withResolvers<void>();
  const server = createServer((request, res) => {
    request.resume();
    resolve();
    if (response) res.writeHead(response.status).end(response.text);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    delivered,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
