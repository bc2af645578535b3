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
  readonly asked: Asked;
  /** What the service was asked in its stead. */
  readonly passedOn?: Asked;
  /** What the service answered and what was sent, which are the same where another question was passed on. */
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

/** The service takes 64 KB; what is held here to be changed is bounded, too. */
const MAX_HELD = 1_000_000;

/** One request and its answer, broken where the bug says so. */
export async function exchange(
  { target, breaking, operation, shown, tellsClient = false, onFired }: Options,
  agent: http.Agent,
  request: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { method = '', url: path = '' } = request;
  const asked: Asked = { method, path, headers: headersOf(request), body: '' };
  const isTouched = operation === undefined || operationOf(asked) === operation;
  const isNotified = shown !== undefined && isSession(asked);
  const { instead, request: change, ...ofResponse } = isNotified ? showBug(shown) : isTouched ? breaking : {};
  let hasActed = false;
  const ask: Ask = (what, body) => {
    hasActed ||= !what.startsWith('GET ');
    return askService(target, asked.headers.authorization, what, body);
  };

  const isHeld = change !== undefined || instead !== undefined;
  if (isHeld) asked.body = await hold(request, res);
  const made = await instead?.(asked, ask);
  if (made) {
    onFired?.({ asked, right: made, sent: made });
    return void res.writeHead(made.status, made.headers).end(made.body);
  }
  const passedOn = structuredClone(asked);
  await change?.(passedOn, ask);
  const isOther = differ(asked, passedOn);
  if (passedOn.body !== asked.body)
    passedOn.headers['content-length'] = String(Buffer.byteLength(passedOn.body));
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
  if (isHeld) calling.end(passedOn.body);
  else request.pipe(calling);
  const [incoming] = (await once(calling, 'response')) as [IncomingMessage];
  await sendBack(incoming, res, ofResponse, asked, ask, (right, sent) => {
    if (isOther || hasActed || differ(right, sent))
      onFired?.({ asked, right, sent, ...(isOther ? { passedOn } : {}) });
  });
}

/** Sends the answer on, changed by the hooks that there are for it. */
async function sendBack(
  incoming: IncomingMessage,
  res: ServerResponse,
  { head, response, event }: Breaking,
  asked: Asked,
  ask: Ask,
  tell: (right: WireResponse, sent: WireResponse) => void,
): Promise<void> {
  const right: WireResponse = { status: incoming.statusCode ?? 0, headers: headersOf(incoming), body: '' };
  const encoding = right.headers['content-encoding'];
  const isStream = /^text\/event-stream/.test(right.headers['content-type'] ?? '');
  const whole = response && !isStream ? Buffer.concat(await incoming.toArray()) : undefined;
  if (whole) right.body = unpacked(whole, encoding).toString();
  const sent = structuredClone(right);
  head?.(sent, asked);
  if (whole) await response?.(sent, asked, ask);
  const body = sent.body === right.body ? whole : packed(Buffer.from(sent.body), encoding);
  if (body && body !== whole && 'content-length' in sent.headers)
    sent.headers['content-length'] = String(body.length);
  tell(right, sent);
  res.writeHead(sent.status, differ(right, sent) ? flat(sent.headers) : incoming.rawHeaders);
  if (body) return void res.end(body);
  if (!event || !isStream) return pipeline(incoming, res);
  const changes = eventsChanged(event, (before, after) =>
    tell({ ...right, body: before }, { ...sent, body: after }),
  );
  return pipeline(incoming, changes, res);
}

/** The body of a request that is looked at before the service is asked. */
async function hold(request: IncomingMessage, res: ServerResponse): Promise<string> {
  if (request.headers.expect === '100-continue') res.writeContinue();
  let body = '';
  for await (const part of request.setEncoding('utf8')) {
    body += part;
    if (body.length > MAX_HELD) throw new Error('the request is too long to be held');
  }
  return body;
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

const flat = (headers: Record<string, string>): string[] => Object.entries(headers).flat();

const differ = (one: object, other: object): boolean => JSON.stringify(one) !== JSON.stringify(other);
