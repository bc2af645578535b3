import type { ServerResponse } from 'node:http';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError } from '../errors.ts';
import { closeLater } from './connections.ts';
import type { Request, Response, Send } from './request.ts';
import { hasUnwantedBody } from './request-body.ts';

const CHUNK_BYTES = 64 * 1024;

/** Sends a short answer at once, a long one in pieces, and one that leaves bytes unread as the last of its connection. */
export const sendPlainly: Send = async (request, res, response) => {
  const body = wantedBody(request, response);
  if (!request.raw.socket.writable) return;
  const isLast = request.isFollowed || hasUnwantedBody(request);
  request.closesConnection ||= isLast;
  const headers = headersOf(request, response);
  res.writeHead(response.status, headers);
  const inChunks = body instanceof Readable && !headers.includes('content-length');
  if (isLast) await sendLast(request, res, body, inChunks);
  else if (body instanceof Readable || (body?.length ?? 0) > CHUNK_BYTES) await sendBody(request, res, body);
  else res.end(body);
};

/** The body of an answer to HEAD is not sent, and neither is one whose client is gone. */
function wantedBody({ method, raw }: Request, { body }: Response): Response['body'] {
  if (method !== 'HEAD' && raw.socket.writable) return body;
  if (body instanceof Readable) body.destroy();
  return undefined;
}

export function headersOf(
  { responseHeaders, closesConnection }: Request,
  { status, headers = [], body }: Response,
): string[] {
  const all = [...responseHeaders, ...headers];
  if (status !== 204 && status !== 304 && !(body instanceof Readable))
    all.push('content-length', String(body === undefined ? 0 : Buffer.byteLength(body)));
  if (closesConnection) all.push('connection', 'close');
  return all;
}

/** The response is not ended: Node would then read the rest of the request. */
async function sendLast(request: Request, res: ServerResponse, body: Response['body'], inChunks: boolean) {
  const { raw } = request;
  res.flushHeaders();
  await sendBody(request, res, body, false);
  // Node writes the end of chunks with the end of the response only.
  if (inChunks && raw.httpVersion === '1.1') raw.socket.write('0\r\n\r\n');
  raw.socket.pause();
  closeLater(raw.socket);
}

/** Bytes are held by who produced the response; of a stream, each chunk is held while it is written. */
export function sendBody(request: Request, res: ServerResponse, body: Response['body'], end = true) {
  if (body instanceof Readable) return pipeline(body, chunkWriter(request, res, end));
  return pipeline(chunksOf(body), res, { end });
}

export const unreadLimit = () =>
  new ApiError(
    'unavailable',
    'Too much that was sent to you before is still unread. Read it, then try again.',
  );

/** Writes one chunk at a time, and holds it until the system has taken it. */
function chunkWriter(request: Request, res: ServerResponse, end: boolean): Writable {
  let held: Disposable | undefined;
  const writer = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _, done) {
      held = request.hold(chunk, chunk.length);
      if (!held) return done(unreadLimit());
      res.write(chunk, (error) => {
        held?.[Symbol.dispose]();
        done(error);
      });
    },
    final: (done) => void (end ? res.end(done) : done()),
    destroy(error, done) {
      held?.[Symbol.dispose]();
      done(error);
    },
  });
  res.once('close', () => res.writableFinished || writer.destroy());
  return writer;
}

/** Pieces show whether a slow client still takes something. */
function chunksOf(body: string | Buffer = ''): Buffer[] {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const count = Math.ceil(bytes.length / CHUNK_BYTES);
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * CHUNK_BYTES, (i + 1) * CHUNK_BYTES));
}
