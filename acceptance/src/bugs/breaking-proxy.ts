import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Answered, Ask, Asked, Breaking } from './bug.ts';
import { packed, unpacked } from './encodings.ts';
import { eventsChanged } from './event-stream.ts';
import { type Operation, operationOf } from './operations.ts';

/** What the bug did to one exchange. */
export interface Fired {
  readonly asked: Asked;
  /** What the service was asked in its stead. */
  readonly passedOn?: Asked;
  /** What the service answered and what was sent, which are the same where another question was passed on. */
  readonly right: Answered;
  readonly sent: Answered;
}

export interface BreakingProxyOptions {
  /** The port of the right service, on this machine. */
  readonly target: number;
  readonly breaking: Breaking;
  /** The only operation that is touched; without it all are. */
  readonly operation?: Operation | undefined;
  readonly host?: string;
  readonly port?: number;
  readonly onFired?: (fired: Fired) => void;
}

export interface BreakingProxy extends AsyncDisposable {
  readonly origin: string;
}

/** Stands before a service and breaks one thing. The rest passes as it comes, connection by connection. */
export async function startBreakingProxy(options: BreakingProxyOptions): Promise<BreakingProxy> {
  const { target, host = '127.0.0.1', port = 0 } = options;
  const upstreams = new WeakMap<Socket, Upstream>();
  // The service itself says what is too long or lacks a host.
  const server = http.createServer({ maxHeaderSize: 1 << 20, requireHostHeader: false });
  server.on('connection', (client) => upstreams.set(client, openUpstream(client, target)));
  const handle: http.RequestListener = (request, response) => {
    const upstream = upstreams.get(request.socket) as Upstream;
    response.sendDate = false;
    upstream.answered = exchange(options, upstream, request, response).catch(({ code = '', syscall }) => {
      if (code.startsWith('HPE_')) request.socket.end('this is not HTTP\r\n\r\n');
      else if (syscall === 'read') request.socket.resetAndDestroy();
      else request.socket.destroy();
    });
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, handle);
  // What is hardly HTTP is the service's to answer.
  server.on('clientError', (error: Error & { rawPacket?: Buffer }, client) => {
    if (!client.writable) return client.destroy();
    const raw = connect(target, '127.0.0.1', () => raw.write(error.rawPacket ?? ''));
    pipeline(raw, client).catch(() => client.destroy());
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    origin: `http://${host}:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Each connection of a client has one of its own to the service, and lives as long as that. */
interface Upstream {
  readonly agent: http.Agent;
  readonly port: number;
  answered: Promise<void>;
}

function openUpstream(client: Socket, port: number): Upstream {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  client.on('error', () => {}).once('close', () => agent.destroy());
  const upstream: Upstream = { agent, port, answered: Promise.resolve() };
  agent.createConnection = (_options, callback) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('close', () => void upstream.answered.then(() => client.end()));
    callback?.(null, socket);
    return socket;
  };
  return upstream;
}

/** One request and its answer. */
async function exchange(
  options: BreakingProxyOptions,
  { agent }: Upstream,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url: path = '' } = request;
  const asked: Asked = { method, path, headers: headersOf(request), body: '' };
  const isTouched = options.operation === undefined || operationOf(asked) === options.operation;
  const { instead, request: change, head, answer, event } = isTouched ? options.breaking : {};
  let hasActed = false;
  const asksItself = asking(options.target, asked.headers.authorization);
  const ask: Ask = (what, body) => {
    hasActed ||= !what.startsWith('GET ');
    return asksItself(what, body);
  };

  const isHeld = change !== undefined || instead !== undefined;
  if (isHeld) {
    if (asked.headers.expect === '100-continue') response.writeContinue();
    asked.body = await text(request);
  }
  const made = await instead?.(asked, ask);
  if (made) {
    options.onFired?.({ asked, right: made, sent: made });
    return void response.writeHead(made.status, made.headers).end(made.body);
  }
  const passedOn = structuredClone(asked);
  await change?.(passedOn, ask);
  if (passedOn.body !== asked.body)
    passedOn.headers['content-length'] = String(Buffer.byteLength(passedOn.body));
  const isOther = differ(asked, passedOn);
  const calling = http.request({
    host: '127.0.0.1',
    port: options.target,
    agent,
    method: passedOn.method,
    path: passedOn.path,
    headers: isOther ? flat(passedOn.headers) : request.rawHeaders,
  });
  calling.once('continue', () => isHeld || response.writeContinue());
  response.once('close', () => response.writableFinished || calling.destroy());
  if (isHeld) calling.end(passedOn.body);
  else request.pipe(calling);
  const [incoming] = (await once(calling, 'response')) as [IncomingMessage];

  const right: Answered = { status: incoming.statusCode ?? 0, headers: headersOf(incoming), body: '' };
  const encoding = right.headers['content-encoding'];
  const isStream = /^text\/event-stream/.test(right.headers['content-type'] ?? '');
  const whole = answer && !isStream ? Buffer.concat(await incoming.toArray()) : undefined;
  if (whole) right.body = unpacked(whole, encoding).toString();
  const sent = structuredClone(right);
  head?.(sent, asked);
  if (whole) await answer?.(sent, asked, ask);
  const body = sent.body === right.body ? whole : packed(Buffer.from(sent.body), encoding);
  if (body && body !== whole && 'content-length' in sent.headers)
    sent.headers['content-length'] = String(body.length);
  const isBroken = differ(right, sent);
  const fired = { asked, right, sent, ...(isOther ? { passedOn } : {}) };
  if (isOther || isBroken || hasActed) options.onFired?.(fired);
  response.writeHead(sent.status, isBroken ? flat(sent.headers) : incoming.rawHeaders);
  if (body) response.end(body);
  else if (event && isStream)
    await pipeline(
      incoming,
      eventsChanged(event, () => options.onFired?.(fired)),
      response,
    );
  else await pipeline(incoming, response);
}

function asking(port: number, authorization: string | undefined): Ask {
  return async (request, body) => {
    const [method = '', path = ''] = request.split(' ');
    const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) };
    const calling = http.request({ host: '127.0.0.1', port, method, path, headers, agent: false });
    calling.end(body);
    const [incoming] = (await once(calling, 'response')) as [IncomingMessage];
    return { status: incoming.statusCode ?? 0, headers: headersOf(incoming), body: await text(incoming) };
  };
}

const headersOf = ({ headersDistinct }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]));

const flat = (headers: Record<string, string>): string[] => Object.entries(headers).flat();

const differ = (one: object, other: object): boolean => JSON.stringify(one) !== JSON.stringify(other);
