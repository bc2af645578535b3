import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { BugHooks, CallService, ForwardedRequest, WireResponse } from './bug.ts';
import { compress, decompress } from './encodings.ts';
import { transformEvents } from './event-stream.ts';
import { isSessionRequest, type ListedBug, showBug } from './listed-bug.ts';
import { type Operation, operationOf } from './operations.ts';

/** An exchange that the bug changed. */
export interface BugEffect {
  readonly forwarded: ForwardedRequest;
  /** The request sent to the service instead. */
  readonly changedRequest?: ForwardedRequest;
  /** The service's response and the one sent to the client; equal if the bug changed only the request, or responded itself. */
  readonly correct: WireResponse;
  readonly sent: WireResponse;
}

interface Options {
  readonly target: number;
  readonly hooks: BugHooks;
  readonly operation?: Operation | undefined;
  readonly listedBug?: ListedBug;
  readonly addsForwardedFor?: boolean;
  readonly onEffect?: (effect: BugEffect) => void;
}

/** Default limit, in bytes, of the request bodies buffered here. The service accepts 64 KB. */
const MAX_BODY = 1_000_000;

/** Forwards one request and its response, and applies the bug's hooks. */
export async function exchange(
  { target, hooks, operation, listedBug, addsForwardedFor = false, onEffect }: Options,
  agent: http.Agent,
  request: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { method = '', url: path = '' } = request;
  const forwarded: ForwardedRequest = { method, path, headers: headersOf(request), body: '' };
  const isAffected = operation === undefined || operationOf(forwarded) === operation;
  const isConsoleSession = listedBug !== undefined && isSessionRequest(forwarded);
  const {
    intercept,
    request: change,
    maxBody = MAX_BODY,
    ...otherHooks
  } = isConsoleSession ? showBug(listedBug) : isAffected ? hooks : {};
  let hasWritten = false;
  const callService: CallService = (call, body, authorization = forwarded.headers.authorization) => {
    hasWritten ||= !call.startsWith('GET ');
    return callServiceAt(target, authorization, call, body);
  };

  const isBuffered = change !== undefined || intercept !== undefined;
  const { bytes: buffered, isComplete } = isBuffered
    ? await bufferBody(request, res, maxBody)
    : NOTHING_BUFFERED;
  if (isComplete) forwarded.body = buffered.toString();
  const replacement = isComplete ? await intercept?.(forwarded, callService) : undefined;
  if (replacement) {
    onEffect?.({ forwarded, correct: replacement, sent: replacement });
    return void res.writeHead(replacement.status, replacement.headers).end(replacement.body);
  }
  const changedRequest = structuredClone(forwarded);
  if (isComplete) await change?.(changedRequest, callService);
  const isRequestChanged = differ(forwarded, changedRequest);
  if (changedRequest.body !== forwarded.body) {
    changedRequest.headers['content-length'] = String(Buffer.byteLength(changedRequest.body));
    delete changedRequest.headers['transfer-encoding'];
  }
  const headers = isRequestChanged ? rawHeadersOf(changedRequest.headers) : request.rawHeaders;
  const forwardedFor = addsForwardedFor ? ['X-Forwarded-For', request.socket.remoteAddress ?? ''] : [];
  const outgoing = http.request({
    host: '127.0.0.1',
    port: target,
    agent,
    method: changedRequest.method,
    path: changedRequest.path,
    headers: [...headers, ...forwardedFor],
  });
  outgoing.on('error', () => {}).once('continue', () => isBuffered || res.writeContinue());
  res.once('close', () => res.writableFinished || outgoing.destroy());
  if (isComplete) outgoing.end(changedRequest.body === forwarded.body ? buffered : changedRequest.body);
  else {
    if (isBuffered) outgoing.write(buffered);
    request.pipe(outgoing);
  }
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  if (!request.complete) forwardDrain(outgoing, request);
  const responseHooks = hooks.watch ? { ...otherHooks, watch: hooks.watch } : otherHooks;
  await sendBack(incoming, res, responseHooks, forwarded, callService, (correct, sent) => {
    if (isRequestChanged || hasWritten || differ(correct, sent))
      onEffect?.({ forwarded, correct, sent, ...(isRequestChanged ? { changedRequest } : {}) });
  });
}

/** Node stops forwarding `drain` once the response is complete, even while the body of the request is being sent. */
function forwardDrain(outgoing: http.ClientRequest, request: IncomingMessage): void {
  const { socket } = outgoing;
  const drained = () => void outgoing.emit('drain');
  socket?.on('drain', drained);
  request.once('close', () => socket?.off('drain', drained));
}

/** Sends the response on, changed by the hooks. */
async function sendBack(
  incoming: IncomingMessage,
  res: ServerResponse,
  hooks: BugHooks,
  forwarded: ForwardedRequest,
  callService: CallService,
  onExchange: (correct: WireResponse, sent: WireResponse) => void,
): Promise<void> {
  const { head, response, watch } = hooks;
  const correct: WireResponse = { status: incoming.statusCode ?? 0, headers: headersOf(incoming), body: '' };
  const encoding = correct.headers['content-encoding'];
  const isStream = /^text\/event-stream/.test(correct.headers['content-type'] ?? '');
  const bufferedBody = (response || watch) && !isStream ? Buffer.concat(await incoming.toArray()) : undefined;
  if (bufferedBody) correct.body = decompress(bufferedBody, encoding).toString();
  watch?.(correct, forwarded);
  const sent = structuredClone(correct);
  head?.(sent, forwarded);
  if (bufferedBody) await response?.(sent, forwarded, callService);
  const body = sent.body === correct.body ? bufferedBody : compress(Buffer.from(sent.body), encoding);
  if (body && body !== bufferedBody && 'content-length' in sent.headers)
    sent.headers['content-length'] = String(body.length);
  onExchange(correct, sent);
  res.writeHead(sent.status, headersToSend(incoming.rawHeaders, correct, sent));
  if (body) return void res.end(body);
  if (!(hooks.event || hooks.comment) || !isStream) return pipeline(incoming, res);
  const changes = transformEvents(hooks, (before, after) =>
    onExchange({ ...correct, body: before }, { ...sent, body: after }),
  );
  return pipeline(incoming, changes, res);
}

const NOTHING_BUFFERED = { bytes: Buffer.alloc(0), isComplete: false };

/** Buffers the body of a request, or the beginning of a longer one. */
async function bufferBody(
  request: IncomingMessage,
  res: ServerResponse,
  max: number,
): Promise<typeof NOTHING_BUFFERED> {
  if (request.headers.expect === '100-continue') res.writeContinue();
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    parts.push(part);
    length += part.length;
    if (length > max) return { bytes: Buffer.concat(parts), isComplete: false };
  }
  return { bytes: Buffer.concat(parts), isComplete: true };
}

async function callServiceAt(
  port: number,
  authorization: string | undefined,
  request: string,
  body?: string,
): Promise<WireResponse> {
  const [method = '', path = ''] = request.split(' ');
  const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) };
  const outgoing = http.request({ host: '127.0.0.1', port, method, path, headers, agent: false });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: incoming.statusCode ?? 0, headers: headersOf(incoming), body: await text(incoming) };
}

const headersOf = ({ headersDistinct }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]));

/** The headers to send, with names and order as received: only the bug differs. */
function headersToSend(raw: readonly string[], correct: WireResponse, sent: WireResponse): string[] {
  const { ...remaining } = sent.headers;
  const headers: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2);
    const key = name.toLowerCase();
    if (sent.headers[key] === correct.headers[key]) headers.push(name, value);
    else if (remaining[key] !== undefined) headers.push(name, remaining[key]);
    delete remaining[key];
  }
  return [...headers, ...rawHeadersOf(remaining)];
}

const rawHeadersOf = (headers: Record<string, string>): string[] => Object.entries(headers).flat();

const differ = (one: object, other: object): boolean => JSON.stringify(one) !== JSON.stringify(other);
