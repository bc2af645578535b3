import { createHmac } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ensure, equal } from './expect.ts';
import { parseExact } from './json.ts';
import { Mismatch } from './mismatch.ts';
import type { Fields } from './v2.ts';

/** A message that a webhook received. */
export type Message = {
  method: string;
  path: string;
  headers: Record<string, string | undefined>;
  body: string;
  event: Fields;
};

/** A webhook receiver on this machine, with one path per webhook. */
export type Receiver = AsyncDisposable & {
  urlOf(path: string): string;
  /** The messages received on a path so far. */
  received(path: string): Message[];
  /** Waits until a path has received this many messages. */
  wait(path: string, count?: number): Promise<Message[]>;
  /** Sets the response of a path; 204 without a body by default. Status 0 closes the connection without a response. */
  setResponse(path: string, status: number, headers?: Record<string, string>, body?: string): void;
  /** Holds the responses to messages that arrive on a path from now on. Returns a function that sends them and ends this. */
  hold(path: string): () => void;
};

/** Longer than the wait before the first retry. */
const timeoutMs = 20_000;

export async function openReceiver(): Promise<Receiver> {
  const messages: Message[] = [];
  const responses = new Map<string, [number, Record<string, string>, string]>();
  const held = new Map<string, Promise<void>>();
  const arrivals = new EventEmitter();
  const server = createServer(async (request, res) => {
    const { method = '', url: path = '', headers } = request;
    const body = await text(request);
    const event = (body === '' ? {} : parseExact(body)) as Fields;
    messages.push({ method, path, headers: headers as Message['headers'], body, event });
    const [status, extraHeaders, responseBody] = responses.get(path) ?? [204, {}, ''];
    arrivals.emit('message');
    await held.get(path);
    if (status === 0) request.socket.destroy();
    else res.writeHead(status, extraHeaders).end(responseBody);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const received = (path: string) => messages.filter((message) => message.path === path);
  return {
    received,
    urlOf: (path) => `http://127.0.0.1:${port}${path}`,
    setResponse: (path, status, headers = {}, body = '') => responses.set(path, [status, headers, body]),
    hold(path) {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(path, promise);
      return () => {
        held.delete(path);
        resolve();
      };
    },
    async wait(path, count = 1) {
      const signal = AbortSignal.timeout(timeoutMs);
      while (received(path).length < count) {
        await once(arrivals, 'message', { signal }).catch(() => {
          throw new Mismatch(
            `${count} messages to ${path}`,
            `${received(path).length} within ${timeoutMs / 1000} s`,
          );
        });
      }
      return received(path);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Expects a signature for each secret, as in Standard Webhooks, and a recent timestamp. */
export function expectSigned({ headers, body }: Message, ...secrets: string[]): void {
  const {
    'webhook-id': id = '',
    'webhook-timestamp': timestamp = '',
    'webhook-signature': signature,
  } = headers;
  ensure(id !== '', 'a header webhook-id', 'none');
  ensure(
    Math.abs(Number(timestamp) - Date.now() / 1000) < 300,
    'the current time as webhook-timestamp, in seconds',
    timestamp,
  );
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  equal((signature ?? '').split(' ').sort(), signatures.sort(), 'webhook-signature');
}
