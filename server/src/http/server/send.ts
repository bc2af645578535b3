import type { ServerResponse } from 'node:http';
import { Readable, Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { yieldToNewConnections } from '../../concurrency/yield-to-event-loop.ts';
import { ApiError } from '../errors.ts';
import { addBasePathToHeaders } from './base-path.ts';
import { closeAfterGrace } from './connections.ts';
import { ownerOf, type Request, type Response, type Send } from './request.ts';
import { hasUnreadBody, leavesBodyUnread } from './request-body.ts';

const CHUNK_BYTES = 64 * 1024;

/** Sends short bodies at once, long ones in chunks, and closes the connection if request bytes are left unread. */
export const sendResponse: Send = async (request, res, response) => {
  if (isLong(response)) await yieldToNewConnections(ownerOf(request));
  const body = bodyToSend(request, response);
  if (!request.raw.socket.writable) return;
  const isLast = request.hasTrailingData || leavesBodyUnread(request);
  request.closesConnection ||= isLast;
  const headers = headersOf(request, response);
  res.writeHead(response.status, headers);
  const isChunked = body instanceof Readable && !headers.includes('content-length');
  if (isLast) await sendLast(request, res, body, isChunked);
  else if (hasUnreadBody(request) && !res.shouldKeepAlive) await sendBeforeClose(request, res, body);
  else if (body instanceof Readable || (body?.length ?? 0) > CHUNK_BYTES) await sendBody(request, res, body);
  else res.end(body);
};

/** Streams do not count: they yield between their chunks. */
const isLong = ({ body }: Response) => !(body instanceof Readable) && (body?.length ?? 0) > CHUNK_BYTES;

/** None for HEAD, or if the client has disconnected. */
function bodyToSend({ method, raw }: Request, { body }: Response): Response['body'] {
  if (method !== 'HEAD' && raw.socket.writable) return body;
  if (body instanceof Readable) body.destroy();
  return undefined;
}

export function headersOf(
  { responseHeaders, closesConnection, basePath }: Request,
  { status, headers = [], body }: Response,
): string[] {
  const all = addBasePathToHeaders([...responseHeaders, ...headers], basePath);
  if (status !== 204 && status !== 304 && !(body instanceof Readable))
    all.push('content-length', String(body === undefined ? 0 : Buffer.byteLength(body)));
  if (closesConnection) all.push('connection', 'close');
  return all;
}

/** Does not end the response: Node would then read the rest of the request. */
async function sendLast(request: Request, res: ServerResponse, body: Response['body'], isChunked: boolean) {
  const { raw } = request;
  res.flushHeaders();
  await sendBody(request, res, body, false);
  // Node writes the last chunk only when the response ends.
  if (isChunked && raw.httpVersion === '1.1') raw.socket.write('0\r\n\r\n');
  raw.socket.pause();
  closeAfterGrace(raw.socket);
}

/**
 * Node would close the connection with the response, which a client that is still sending its body could lose. The response
 * is written before the rest of the body has arrived, which is not part of its duration.
 */
async function sendBeforeClose(request: Request, res: ServerResponse, body: Response['body']) {
  res.flushHeaders();
  request.raw.resume();
  await sendBody(request, res, body, false);
  const received = finished(request.raw, { writable: false }).catch(() => {});
  void received.then(() => res.end());
}

/** Counts the chunks of a stream as in flight; the bytes of any other body are counted already. */
export function sendBody(request: Request, res: ServerResponse, body: Response['body'], end = true) {
  if (body instanceof Readable) return pipeline(body, chunkWriter(request, res, end));
  return pipeline(splitIntoChunks(body), res, { end });
}

export const unreadLimitError = () =>
  new ApiError(
    'unavailable',
    'Too many bytes of earlier responses are unread. Read those responses, then try again.',
  );

/** Called before a long response is created: its client may have too many unread bytes already. */
export function rejectBeyondUnreadLimit(request: Request): void {
  if (request.isBeyondUnreadLimit()) throw unreadLimitError();
}

/** Writes one chunk at a time, counted as in flight until the kernel has taken it. */
function chunkWriter(request: Request, res: ServerResponse, end: boolean): Writable {
  let reservation: Disposable | undefined;
  const writer = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _, done) {
      reservation = request.reserve(chunk, chunk.length);
      if (!reservation) return done(unreadLimitError());
      res.write(chunk, (error) => {
        reservation?.[Symbol.dispose]();
        done(error);
      });
    },
    final: (done) => void (end ? res.end(done) : done()),
    destroy(error, done) {
      reservation?.[Symbol.dispose]();
      done(error);
    },
  });
  res.once('close', () => res.writableFinished || writer.destroy());
  return writer;
}

/** Chunks let `closeStalled` see the progress of a slow client. */
function splitIntoChunks(body: string | Buffer = ''): Buffer[] {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const count = Math.ceil(bytes.length / CHUNK_BYTES);
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * CHUNK_BYTES, (i + 1) * CHUNK_BYTES));
}
