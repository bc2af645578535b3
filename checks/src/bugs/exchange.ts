import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Ask, Asked, Breaking, WireResponse } from './bug.ts';
import { packed, unpacked } from './encodings.ts';
import { eventsChanged } from './event-stream.ts';
import { isSession, type ListedBug, showBug } from './listed-bug.ts';
import { type Operation, operationOf } from './operations.ts';

/** What the bug did to one exchange. */
export interface Fired {
  readonly forwarded: Asked;
  /** The request sent to the service instead. */
  readonly passedOn?: Asked;
  /** The response of the service and the one sent to the client; equal if only the request was changed. */
  readonly right: WireResponse;
  readonly sent: WireResponse;
}

interface Options {
  readonly target: number;
  readonly breaking: Breaking;
  readonly operation?: Operation | undefined;
  readonly shown?: ListedBug;
  readonly tellsClient?: boolean;
  readonly onFired?: (fired: Fired) => void;
}

/** The service accepts 64 KB; what is buffered here to be changed is bounded, too. */
const MAX_BODY = 1_000_000;

/** One request and its response, with the bug. */
export async function exchange(
  { target, breaking, operation, shown, tellsClient = false, onFired }: Options,
  agent: http.Agent,
  request: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { method = '', url: path = '' } = request;
  const forwarded: Asked = { method, path, headers: headersOf(request), body: '' };
  const isTouched = operation === undefined || operationOf(forwarded) === operation;
  const isNotified = shown !== undefined && isSession(forwarded);
  const {
    instead,
    request: change,
    maxBody = MAX_BODY,
    ...ofResponse
  } = isNotified ? showBug(shown) : isTouched ? breaking : {};
  let hasActed = false;
  const callService: Ask = (what, body, authorization = forwarded.headers.authorization) => {
    hasActed ||= !what.startsWith('GET ');
    return askService(target, authorization, what, body);
  };

  const isHeld = change !== undefined || instead !== undefined;
  const { bytes: held, isWhole } = isHeld ? await hold(request, res, maxBody) : NOTHING_HELD;
  if (isWhole) forwarded.body = held.toString();
  const made = isWhole ? await instead?.(forwarded, callService) : undefined;
  if (made) {
    onFired?.({ forwarded, right: made, sent: made });
    return void res.writeHead(made.status, made.headers).end(made.body);
  }
  const passedOn = structuredClone(forwarded);
  if (isWhole) await change?.(passedOn, callService);
  const isOther = differ(forwarded, passedOn);
  if (passedOn.body !== forwarded.body) {
    passedOn.headers['content-length'] = String(Buffer.byteLength(passedOn.body));
    delete passedOn.headers['transfer-encoding'];
  }
  const headers = isOther ? flat(passedOn.headers) : request.rawHeaders;
  const client = tellsClient ? ['X-Forwarded-For', request.socket.remoteAddress ?? ''] : [];
  const calling = http.request({
    host: '127.0.0.1',
    port: target,
    agent,
    method: passedOn.method,
    path: passedOn.path,
    headers: [...headers, ...client],
  });
  calling.on('error', () => {}).once('continue', () => isHeld || res.writeContinue());
  res.once('close', () => res.writableFinished || calling.destroy());
  if (isWhole) calling.end(passedOn.body === forwarded.body ? held : passedOn.body);
  else {
    if (isHeld) calling.write(held);
    request.pipe(calling);
  }
  const [incoming] = (await once(calling, 'response')) as [IncomingMessage];
  if (!request.complete) forwardDrain(calling, request);
  const hooks = breaking.watch ? { ...ofResponse, watch: breaking.watch } : ofResponse;
  await sendBack(incoming, res, hooks, forwarded, callService, (right, sent) => {
    if (isOther || hasActed || differ(right, sent))
      onFired?.({ forwarded, right, sent, ...(isOther ? { passedOn } : {}) });
  });
}

/** Node stops forwarding `drain` once the response is complete, even while the body of the request is being sent. */
function forwardDrain(calling: http.ClientRequest, request: IncomingMessage): void {
  const { socket } = calling;
  const drained = () => void calling.emit('drain');
  socket?.on('drain', drained);
  request.once('close', () => socket?.off('drain', drained));
}

/** Sends the response on, changed by the hooks. */
async function sendBack(
  incoming: IncomingMessage,
  res: ServerResponse,
  { head, response, event, watch }: Breaking,
  forwarded: Asked,
  callService: Ask,
  tell: (right: WireResponse, sent: WireResponse) => void,
): Promise<void> {
  const right: WireResponse = { status: incoming.statusCode ?? 0, headers: headersOf(incoming), body: '' };
  const encoding = right.headers['content-encoding'];
  const isStream = /^text\/event-stream/.test(right.headers['content-type'] ?? '');
  const whole = (response || watch) && !isStream ? Buffer.concat(await incoming.toArray()) : undefined;
  if (whole) right.body = unpacked(whole, encoding).toString();
  watch?.(right, forwarded);
  const sent = structuredClone(right);
  head?.(sent, forwarded);
  if (whole) await response?.(sent, forwarded, callService);
  const body = sent.body === right.body ? whole : packed(Buffer.from(sent.body), encoding);
  if (body && body !== whole && 'content-length' in sent.headers)
    sent.headers['content-length'] = String(body.length);
  tell(right, sent);
  res.writeHead(sent.status, withHeaders(incoming.rawHeaders, right, sent));
  if (body) return void res.end(body);
  if (!event || !isStream) return pipeline(incoming, res);
  const changes = eventsChanged(event, (before, after) =>
    tell({ ...right, body: before }, { ...sent, body: after }),
  );
  return pipeline(incoming, changes, res);
}

const NOTHING_HELD = { bytes: Buffer.alloc(0), isWhole: false };

/** Buffers the body of a request, or the beginning of a longer one. */
async function hold(
  request: IncomingMessage,
  res: ServerResponse,
  max: number,
): Promise<typeof NOTHING_HELD> {
  if (request.headers.expect === '100-continue') res.writeContinue();
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    parts.push(part);
    length += part.length;
    if (length > max) return { bytes: Buffer.concat(parts), isWhole: false };
  }
  return { bytes: Buffer.concat(parts), isWhole: true };
}

async function askService(
  port: number,
  authorization: string | undefined,
  request: string,
  body?: string,
): Promise<WireResponse> {
  const [method = '', path = ''] = request.split(' ');
  const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) };
  const calling = http.request({ host: '127.0.0.1', port, method, path, headers, agent: false });
  calling.end(body);
  const [incoming] = (await once(calling, 'response')) as [IncomingMessage];
  return { status: incoming.statusCode ?? 0, headers: headersOf(incoming), body: await text(incoming) };
}

const headersOf = ({ headersDistinct }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]));

/** The headers to send, with names and order as received: only the bug differs. */
function withHeaders(raw: readonly string[], right: WireResponse, sent: WireResponse): string[] {
  const { ...left } = sent.headers;
  const headers: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2);
    const key = name.toLowerCase();
    if (sent.headers[key] === right.headers[key]) headers.push(name, value);
    else if (left[key] !== undefined) headers.push(name, left[key]);
    delete left[key];
  }
  return [...headers, ...flat(left)];
}

const flat = (headers: Record<string, string>): string[] => Object.entries(headers).flat();

const differ = (one: object, other: object): boolean => JSON.stringify(one) !== JSON.stringify(other);
