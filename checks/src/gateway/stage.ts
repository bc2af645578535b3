import { setTimeout as wait } from 'node:timers/promises';
import { fail, skip } from './finding.ts';
import type { Origin } from './origin/origin.ts';
import type { Received } from './origin/received.ts';
import type { OriginResponse, Reply } from './origin/reply.ts';
import { errorOf, json, list } from './responses.ts';
import type { Settings } from './settings.ts';
import type { Arriving } from './wire/arriving.ts';
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

/** A request on both sides of the gateway. */
export interface Sent {
  readonly text: string;
  readonly arriving: Arriving;
}

type Script = (reply: Reply) => void | Promise<void>;

/** The place where one question is asked: the gateway on one side, the origin on the other. */
export class Stage implements Disposable {
  readonly token: string;
  readonly url: URL;
  readonly settings: Settings;
  readonly origin: Origin;
  readonly received: Received[] = [];
  readonly sent: Sent[] = [];
  readonly replies: Reply[] = [];
  #script: Script = (reply) => reply.respond(list());
  readonly #connections: GatewayConnection[] = [];
  #count = 0;

  constructor(origin: Origin, url: URL, settings: Settings) {
    this.origin = origin;
    this.url = url;
    this.settings = settings;
    this.token = origin.expect((reply) => this.#handle(reply));
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

  /** The bytes of a request. */
  requestText({
    method = 'GET',
    path,
    isExact = false,
    headers = [],
    key = this.key,
    body,
  }: Request): string {
    const own = headers.map(([name]) => name.toLowerCase());
    const length: Header[] =
      body === undefined || own.includes('transfer-encoding')
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
      const connection = await GatewayConnection.open(this.url, this.settings.response);
      this.#connections.push(connection);
      return connection;
    } catch (error) {
      return fail(`the gateway accepted no connection: ${(error as Error).message}`);
    }
  }

  /** Sends a request, without waiting for its response. */
  async begin(request: Request = {}, connection?: GatewayConnection): Promise<Arriving> {
    const { method = 'GET', body } = request;
    const text = this.requestText(request);
    const through = connection ?? (await this.connect());
    const arriving =
      body === undefined ? through.send(method, text) : through.send(method, text, body as Buffer);
    this.sent.push({ text: `${text}${body?.toString('latin1').slice(0, 4_096) ?? ''}`, arriving });
    return arriving;
  }

  /** Sends raw bytes as a request. */
  async sendRaw(method: string, text: string, connection?: GatewayConnection): Promise<Arriving> {
    const arriving = (connection ?? (await this.connect())).send(method, text);
    this.sent.push({ text, arriving });
    return arriving;
  }

  /** Sends a request and waits for the end of its response, however it ends. */
  async send(
    request: Request = {},
    connection?: GatewayConnection,
    ms = this.settings.response,
  ): Promise<Arriving> {
    const through = connection ?? (await this.connect());
    const arriving = await this.begin(request, through);
    await arriving.over(ms);
    if (!connection) through[Symbol.dispose]();
    return arriving;
  }

  /** Sends a request that must reach the origin, and returns it as it got there. */
  async exchange(
    request: Request = {},
  ): Promise<{ readonly arrived: Arriving; readonly received: Received }> {
    const before = this.received.length;
    const arrived = await this.send(request);
    const received = this.received[before];
    if (received) return { arrived, received };
    return fail(`the request did not reach the origin: the gateway responded with ${describe(arrived)}`);
  }

  /** Waits until the origin has received this many requests. */
  async reached(count: number, ms = this.settings.response): Promise<boolean> {
    const end = performance.now() + ms;
    while (this.received.length < count && performance.now() < end) await wait(5);
    return this.received.length >= count;
  }

  /**
   * Waits until the gateway uses the origin: after a failure, it may avoid it for a while. Each of its processes may know
   * of other failures, so several requests in a row must succeed.
   */
  async ready(inARow = 5): Promise<void> {
    const end = performance.now() + this.settings.response;
    this.respond(list());
    for (let count = 0; count < inARow; ) {
      const arrived = await this.send();
      count = arrived.status === 200 ? count + 1 : 0;
      if (count > 0) continue;
      if (performance.now() > end)
        skip(`the gateway did not use the origin: it responded with ${describe(arrived)}`);
      await wait(this.settings.idle);
    }
    this.#forget();
  }

  /** Sends a request to which the origin responds badly, once the gateway uses the origin. */
  async sendWhenReady(request: Request, script: Script | OriginResponse): Promise<Arriving> {
    const end = performance.now() + this.settings.response;
    for (;;) {
      await this.ready();
      this.respond(script);
      const arrived = await this.send(request);
      const isSkipped = this.received.length === 0 && (arrived.status ?? 0) >= 500;
      if (!isSkipped || performance.now() > end) return arrived;
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

/** What arrived, in a few words: `502`, `connection closed`. */
export function describe({ status, end, isComplete }: Arriving): string {
  if (status === undefined) return end ?? 'nothing';
  return isComplete ? String(status) : `${status}, incomplete`;
}
