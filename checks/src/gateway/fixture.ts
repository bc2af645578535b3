import { setTimeout as wait } from 'node:timers/promises';
import { fail, skip } from './finding.ts';
import type { Origin } from './origin/origin.ts';
import type { ReceivedRequest } from './origin/received-request.ts';
import type { OriginResponse, Reply } from './origin/reply.ts';
import { errorOf, json, list } from './responses.ts';
import type { Settings } from './settings.ts';
import type { ClientResponse } from './wire/client-response.ts';
import { GatewayConnection } from './wire/gateway-connection.ts';
import type { Header } from './wire/head.ts';

export interface Request {
  readonly method?: string;
  /** Path and query; the token of the question is added to the query. */
  readonly path?: string;
  /** Sends the path as it is, without the token. */
  readonly isExact?: boolean;
  readonly headers?: readonly Header[];
  readonly body?: string | Buffer;
  /** Instead of the key of the question; null for none. */
  readonly key?: string | null;
}

/** A request that the client sent, and its response. */
export interface Sent {
  readonly text: string;
  readonly response: ClientResponse;
}

type Script = (reply: Reply) => void | Promise<void>;

/** The test fixture of one question: its connections to the gateway, and its requests at the origin. */
export class Fixture implements Disposable {
  readonly token: string;
  readonly url: URL;
  readonly settings: Settings;
  readonly origin: Origin;
  readonly received: ReceivedRequest[] = [];
  readonly sent: Sent[] = [];
  readonly replies: Reply[] = [];
  #script: Script = (reply) => reply.respond(list());
  readonly #connections: GatewayConnection[] = [];
  #count = 0;

  constructor(origin: Origin, url: URL, settings: Settings) {
    this.origin = origin;
    this.url = url;
    this.settings = settings;
    this.token = origin.register((reply) => this.#handle(reply));
  }

  /** Sets how the origin responds. Without it, every request gets a list of orders. */
  respond(script: Script | OriginResponse): void {
    this.#script = typeof script === 'function' ? script : (reply) => reply.respond(script);
  }

  get key(): string {
    return `pst_test_${this.token}`;
  }

  /** A target with the token and a number in its query, so that no cache knows it. */
  target(path = '/v1/store/orders'): string {
    this.#count += 1;
    return `${path}${path.includes('?') ? '&' : '?'}check=${this.token}-${this.#count}`;
  }

  /** The head of a request. */
  headText({ method = 'GET', path, isExact = false, headers = [], key = this.key, body }: Request): string {
    const givenNames = headers.map(([name]) => name.toLowerCase());
    const length: Header[] =
      body === undefined || givenNames.includes('transfer-encoding')
        ? []
        : [['Content-Length', String(Buffer.byteLength(body))]];
    const authorization: Header[] = key === null ? [] : [['Authorization', `Bearer ${key}`]];
    const all: Header[] = [
      ['Host', this.url.host],
      ...authorization,
      ['Accept', '*/*'],
      ['User-Agent', 'petstore-check-gateway'],
      ...headers,
      ...length,
    ];
    const target = isExact && path !== undefined ? path : this.target(path);
    return `${method} ${target} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  }

  async connect(): Promise<GatewayConnection> {
    try {
      const connection = await GatewayConnection.open(this.url, this.settings.responseTimeout);
      this.#connections.push(connection);
      return connection;
    } catch (error) {
      return fail(`the gateway accepted no connection: ${(error as Error).message}`);
    }
  }

  /** Sends a request, without waiting for its response. */
  async begin(request: Request = {}, connection?: GatewayConnection): Promise<ClientResponse> {
    const { method = 'GET', body } = request;
    const text = this.headText(request);
    const through = connection ?? (await this.connect());
    const response =
      body === undefined ? through.send(method, text) : through.send(method, text, body as Buffer);
    this.sent.push({ text: `${text}${body?.toString('latin1').slice(0, 4_096) ?? ''}`, response });
    return response;
  }

  /** Sends raw bytes as a request. */
  async sendRaw(method: string, text: string, connection?: GatewayConnection): Promise<ClientResponse> {
    const response = (connection ?? (await this.connect())).send(method, text);
    this.sent.push({ text, response });
    return response;
  }

  /** Sends a request and waits for the end of its response, however it ends. */
  async send(
    request: Request = {},
    connection?: GatewayConnection,
    ms = this.settings.responseTimeout,
  ): Promise<ClientResponse> {
    const through = connection ?? (await this.connect());
    const response = await this.begin(request, through);
    await response.waitForEnd(ms);
    if (!connection) through[Symbol.dispose]();
    return response;
  }

  /** Sends a request that must reach the origin. Returns its response, and the request as the origin received it. */
  async exchange(
    request: Request = {},
  ): Promise<{ readonly response: ClientResponse; readonly received: ReceivedRequest }> {
    const before = this.received.length;
    const response = await this.send(request);
    const received = this.received[before];
    if (received) return { response, received };
    return fail(`the request did not reach the origin: the client received ${describe(response)}`);
  }

  /** Waits until the origin has received this many requests. */
  async waitForReceived(count: number, ms = this.settings.responseTimeout): Promise<boolean> {
    const end = performance.now() + ms;
    while (this.received.length < count && performance.now() < end) await wait(5);
    return this.received.length >= count;
  }

  /**
   * Waits until the gateway uses the origin: after a failure, it may avoid it for a while. Each of its processes may know
   * of other failures, so several requests in a row must succeed.
   */
  async ready(inARow = 5): Promise<void> {
    const end = performance.now() + this.settings.responseTimeout;
    this.respond(list());
    for (let count = 0; count < inARow; ) {
      const response = await this.send();
      count = response.status === 200 ? count + 1 : 0;
      if (count > 0) continue;
      if (performance.now() > end)
        skip(`the gateway did not use the origin: the client received ${describe(response)}`);
      await wait(this.settings.idle);
    }
    this.#forget();
  }

  /** Waits until the gateway uses the origin, then sends a request, to which `script` responds. */
  async sendWhenReady(request: Request, script: Script | OriginResponse): Promise<ClientResponse> {
    const end = performance.now() + this.settings.responseTimeout;
    for (;;) {
      await this.ready();
      this.respond(script);
      const response = await this.send(request);
      const hasAvoidedOrigin = this.received.length === 0 && (response.status ?? 0) >= 500;
      if (!hasAvoidedOrigin || performance.now() > end) return response;
    }
  }

  #forget(): void {
    this.received.length = 0;
    this.replies.length = 0;
    this.sent.length = 0;
  }

  [Symbol.dispose](): void {
    for (const connection of this.#connections) connection[Symbol.dispose]();
    for (const reply of this.replies) reply.abandon();
  }

  #handle(reply: Reply): void {
    this.received.push(reply.request);
    this.replies.push(reply);
    if (reply.request.rejected !== undefined)
      reply.respond(json(400, errorOf(400, 'bad_request', 'Malformed request.')));
    else void Promise.resolve(this.#script(reply)).catch(() => reply.close());
  }
}

/** What the client received, in a few words: `502`, `no response (connection closed)`. */
export function describe({ status, end, isComplete }: ClientResponse): string {
  if (status === undefined) return end === undefined ? 'no response' : `no response (${end})`;
  return isComplete ? String(status) : `${status}, incomplete`;
}
