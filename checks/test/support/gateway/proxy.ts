import { once } from 'node:events';
import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as requestOf,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';

type Headers = Record<string, string | string[] | undefined>;

/** A request as the proxy forwards it. */
interface Forwarded {
  method: string;
  path: string;
  headers: Headers;
}

export interface Response {
  status: number;
  headers: Headers;
  body: Buffer;
}

/** Deviations from a transparent proxy; each one is one defect. */
export interface Defect {
  /** Changes the bytes that begin a connection, before any HTTP parser. */
  readonly bytes?: (text: string) => string;
  /** Changes the request. */
  readonly request?: (forwarded: Forwarded, incoming: IncomingMessage) => void;
  /** Responds instead of the origin; undefined to forward the request. */
  readonly own?: (incoming: IncomingMessage) => Partial<Response> | undefined;
  readonly requestBody?: (body: Buffer, incoming: IncomingMessage) => Buffer;
  /** Changes a response, which is buffered for that, unless it is a stream of events. */
  readonly response?: (response: Response, forwarded: Forwarded, incoming: IncomingMessage) => void;
  /** Forwards the body of a response, instead of piping it. */
  readonly pass?: (from: IncomingMessage, to: ServerResponse, incoming: IncomingMessage) => void;
  /** Whether to send the request again: after an error, or a response with this status. */
  readonly repeats?: (forwarded: Forwarded, outcome: string | number) => boolean;
  /** Responds to a failed request. */
  readonly failure?: (
    forwarded: Forwarded,
    error: NodeJS.ErrnoException,
  ) => number | Partial<Response> | undefined;
  /** Milliseconds without a byte of the origin. */
  readonly timeout?: (incoming: IncomingMessage) => number;
  readonly ignoresDisconnects?: true;
  readonly rejectsExpect?: true;
  readonly maxConnections?: number;
  /** Forwards hop-by-hop headers. */
  readonly forwardsHopByHop?: true;
  /** Observes idle connections to the origin that end. */
  readonly onIdleEnd?: () => void;
}

/** Reports idle connections that the origin ends. */
class WatchedAgent extends Agent {
  readonly #idle = new Map<Duplex, () => void>();
  readonly #defect: Defect;

  constructor(defect: Defect) {
    super({ keepAlive: true });
    this.#defect = defect;
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const onEnd = () => this.#defect.onIdleEnd?.();
    this.#idle.set(socket, onEnd);
    socket.once('close', onEnd);
    return super.keepSocketAlive(socket) ?? true;
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    socket.off('close', this.#idle.get(socket) ?? (() => {}));
    super.reuseSocket(socket, request);
  }
}

const TIMEOUT_MS = 3_000;
const hopByHop = [
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'proxy-connection',
];

export interface Proxy extends AsyncDisposable {
  readonly url: string;
}

/** A proxy that forwards bytes, appends to X-Forwarded-For and removes hop-by-hop headers, with at most one defect. */
export async function openProxy(originPort: number, defect: Defect = {}, ownPort = 0): Promise<Proxy> {
  const agent = new WatchedAgent(defect);
  const server = createServer(
    (incoming, outgoing) => void handle({ originPort, agent, defect }, incoming, outgoing),
  );
  server.requestTimeout = 0;
  if (defect.rejectsExpect) server.on('checkContinue', (_, outgoing) => outgoing.writeHead(417).end());
  server.listen(ownPort, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const front = createTcpServer((client) => relay(client, port, defect));
  if (defect.maxConnections !== undefined) front.maxConnections = defect.maxConnections;
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const hasFront = defect.bytes !== undefined || defect.maxConnections !== undefined;
  return {
    url: `http://127.0.0.1:${hasFront ? (front.address() as AddressInfo).port : port}`,
    async [Symbol.asyncDispose]() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      front.close();
      await once(server, 'close');
    },
  };
}

function relay(client: Socket, port: number, { bytes = (text) => text }: Defect): void {
  const inner = connect(port, '127.0.0.1');
  client.once('data', (first: Buffer) => {
    inner.write(Buffer.from(bytes(first.toString('latin1')), 'latin1'));
    client.pipe(inner);
  });
  inner.pipe(client);
  client.on('error', () => inner.destroy()).on('close', () => inner.destroy());
  inner.on('error', () => client.destroy()).on('close', () => client.destroy());
}

interface ProxyContext {
  readonly originPort: number;
  readonly agent: Agent;
  readonly defect: Defect;
}

async function handle(
  context: ProxyContext,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { defect } = context;
  const own = defect.own?.(incoming);
  if (own) {
    incoming.resume();
    outgoing.writeHead(own.status ?? 200, own.headers).end(own.body);
    return;
  }
  const { method = 'GET', url = '/', socket } = incoming;
  const named = (incoming.headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  const forwardedHeaders = Object.entries(incoming.headers).filter(
    ([name]) => defect.forwardsHopByHop || !(hopByHop.includes(name) || named.includes(name)),
  );
  const chain = [incoming.headers['x-forwarded-for'], socket.remoteAddress].flatMap(
    (address) => address ?? [],
  );
  const headers: Headers = { ...Object.fromEntries(forwardedHeaders), 'x-forwarded-for': chain.join(', ') };
  if (incoming.headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';
  const forwarded: Forwarded = { method, path: url, headers };
  defect.request?.(forwarded, incoming);
  let body: Buffer | undefined;
  if (defect.requestBody || defect.repeats) {
    body = await readAll(incoming);
    if (defect.requestBody) body = defect.requestBody(body, incoming);
    if (headers['content-length'] !== undefined) headers['content-length'] = String(body.length);
  }
  forward(context, forwarded, body, incoming, outgoing);
}

function forward(
  context: ProxyContext,
  forwarded: Forwarded,
  body: Buffer | undefined,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const { originPort, agent, defect } = context;
  const upstream = requestOf({ host: '127.0.0.1', port: originPort, agent, ...forwarded });
  let isRepeated = false;
  const repeat = () => {
    isRepeated = true;
    forward({ ...context, defect: { ...defect, repeats: () => false } }, forwarded, body, incoming, outgoing);
  };
  upstream.setTimeout(defect.timeout?.(incoming) ?? TIMEOUT_MS, () => upstream.destroy(new Error('timeout')));
  upstream.on('response', (from) => {
    if (defect.repeats?.(forwarded, from.statusCode ?? 0)) {
      from.resume();
      return repeat();
    }
    void forwardResponse(defect, forwarded, from, incoming, outgoing);
  });
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    if (isRepeated || outgoing.destroyed) return;
    if (!outgoing.headersSent && defect.repeats?.(forwarded, error.code ?? error.message)) return repeat();
    if (outgoing.headersSent) return void outgoing.destroy();
    const status = defect.failure?.(forwarded, error) ?? (error.message === 'timeout' ? 504 : 502);
    if (typeof status === 'object') {
      outgoing.writeHead(status.status ?? 502, status.headers).end(status.body);
      return;
    }
    outgoing
      .writeHead(status, { 'content-type': 'application/json' })
      .end(`{"code":"unavailable","status":${status}}`);
  });
  if (!defect.ignoresDisconnects) outgoing.on('close', () => upstream.destroy());
  if (body === undefined) incoming.pipe(upstream);
  else upstream.end(body);
}

async function forwardResponse(
  defect: Defect,
  forwarded: Forwarded,
  from: IncomingMessage,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const headers: Headers = Object.fromEntries(
    Object.entries(from.headers).filter(([name]) => !hopByHop.includes(name)),
  );
  const status = from.statusCode ?? 502;
  from.on('error', () => {});
  const isStream = /event-stream/.test(from.headers['content-type'] ?? '');
  if (defect.response && !isStream) {
    const response: Response = { status, headers, body: await readAll(from) };
    if (!from.complete) return void outgoing.destroy();
    defect.response(response, forwarded, incoming);
    outgoing.writeHead(response.status, response.headers).end(response.body);
    return;
  }
  if (defect.pass) {
    delete headers['content-length'];
    outgoing.writeHead(status, headers).flushHeaders();
    return defect.pass(from, outgoing, incoming);
  }
  outgoing.writeHead(status, headers).flushHeaders();
  from.pipe(outgoing);
  from.on('close', () => from.complete || outgoing.destroy());
}

async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk as Buffer);
  } catch {
    // Truncated, as `complete` shows.
  }
  return Buffer.concat(chunks);
}
