import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { UsageError } from '../../../../server/src/config/usage-error.ts';
import { errorOf, json } from '../responses.ts';
import { OriginConnection } from './origin-connection.ts';
import type { Reply } from './reply.ts';

/** Connections that wait to be accepted. */
const BACKLOG = 2_048;
/** Gateways route to a service that is ready: they probe these paths without a token. */
const PROBE = /^(GET|HEAD) \/(healthz|readyz) /;
const ready = json(200, '{"status":"ok"}');
const unknownToken = json(404, errorOf(404, 'not_found', 'This request belongs to no check.'));
const TOKEN = /petq[0-9a-z]{8}/i;

/**
 * Stands in for the service behind the gateway. Every request carries the token of its question, in the target and in the
 * key, and that question decides how the origin responds: also in ways in which the service never fails.
 */
export class Origin implements AsyncDisposable {
  readonly port: number;
  readonly #questions = new Map<string, (reply: Reply) => void>();
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #connections = 0;

  private constructor(port: number) {
    this.port = port;
  }

  static async open(port: number): Promise<Origin> {
    const origin = new Origin(port);
    try {
      await origin.listen();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const reason = code === 'EADDRINUSE' ? `port ${port} on 127.0.0.1 is in use` : message;
      throw new UsageError(`invalid --origin-port '${port}': ${reason}`);
    }
    return origin;
  }

  /** Returns a new token. `onRequest` responds to the requests that carry it. */
  register(onRequest: (reply: Reply) => void): string {
    const random = crypto.getRandomValues(new Uint8Array(8));
    const token = `petq${Array.from(random, (byte) => (byte % 36).toString(36)).join('')}`;
    this.#questions.set(token, onRequest);
    return token;
  }

  async listen(): Promise<void> {
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
    this.#server.listen({ port: this.port, host: '127.0.0.1', backlog: BACKLOG });
    await once(this.#server, 'listening');
  }

  /** Stops listening and closes all connections, like a service that is stopped. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(server, 'close');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    this.#connections += 1;
    new OriginConnection(socket, this.#connections, (reply) => this.#handle(reply));
  }

  #handle(reply: Reply): void {
    const { request } = reply;
    const token = TOKEN.exec(request.headText)?.[0] ?? TOKEN.exec(request.body.toString('latin1'))?.[0];
    const onRequest = this.#questions.get(token?.toLowerCase() ?? '');
    if (onRequest) onRequest(reply);
    else reply.respond(PROBE.test(request.startLine) ? ready : unknownToken);
  }
}
