import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A user's server that receives webhooks. */
export interface Receiver extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly received: readonly Received[];
  /** Waits for the given number of messages. */
  waitForMessages(count: number): Promise<readonly Received[]>;
  /** Waits for a matching message. */
  waitForMessage(predicate: (message: Received) => boolean): Promise<Received>;
}

export type Handler = (message: Received, response: ServerResponse, count: number) => void;

export async function startReceiver(
  handle: Handler = (_, response) => response.writeHead(204).end(),
): Promise<Receiver> {
  const received: Received[] = [];
  let arrived = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const message = { path: request.url ?? '', headers: request.headers, body };
    received.push(message);
    handle(message, response, received.length);
    arrived.resolve();
    arrived = Promise.withResolvers();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    received,
    async waitForMessages(count) {
      while (received.length < count) await arrived.promise;
      return received;
    },
    async waitForMessage(predicate) {
      for (;;) {
        const found = received.find(predicate);
        if (found) return found;
        await arrived.promise;
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Signs the message with the library and compares: its `verify` would reject times of a test clock. */
export function isSigned(secret: string, { headers, body }: Received): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  const signature = new Webhook(secret).sign(String(headers['webhook-id']), at, body);
  return String(headers['webhook-signature']).split(' ').includes(signature);
}

/** The `webhook-signature` of a message. */
export function signatureOf(secret: string, id: string, at: Date, body: string): string {
  return new Webhook(secret).sign(id, at, body);
}
