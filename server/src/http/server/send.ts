import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { closeLater } from './connections.ts';
import type { Answer, Request, Send } from './request.ts';
import { hasUnwantedBody } from './request-body.ts';

export const PIECE_BYTES = 64 * 1024;

/** Sends a short answer at once, a long one in pieces, and one that leaves bytes unread as the last of its connection. */
export const sendPlainly: Send = async (request, response, answer) => {
  const body = wantedBody(request, answer);
  if (!request.raw.socket.writable) return;
  const isLast = request.isFollowed || hasUnwantedBody(request);
  request.closesConnection ||= isLast;
  const headers = headersOf(request, answer);
  response.writeHead(answer.status, headers);
  const inChunks = body instanceof Readable && !headers.includes('content-length');
  if (isLast) await sendLast(request, response, body, inChunks);
  else if (body instanceof Readable || (body?.length ?? 0) > PIECE_BYTES)
    await pipeline(piecesOf(body), response);
  else response.end(body);
};

/** The body of an answer to HEAD is not sent, and neither is one whose client is gone. */
function wantedBody({ method, raw }: Request, { body }: Answer): Answer['body'] {
  if (method !== 'HEAD' && raw.socket.writable) return body;
  if (body instanceof Readable) body.destroy();
  return undefined;
}

export function headersOf(
  { answerHeaders, closesConnection }: Request,
  { status, headers = [], body }: Answer,
): string[] {
  const all = [...answerHeaders, ...headers];
  if (status !== 204 && status !== 304 && !(body instanceof Readable))
    all.push('content-length', String(body === undefined ? 0 : Buffer.byteLength(body)));
  if (closesConnection) all.push('connection', 'close');
  return all;
}

/** The response is not ended: Node would then read the rest of the request. */
async function sendLast({ raw }: Request, response: ServerResponse, body: Answer['body'], inChunks: boolean) {
  response.flushHeaders();
  await pipeline(piecesOf(body), response, { end: false });
  // Node writes the end of chunks with the end of the response only.
  if (inChunks && raw.httpVersion === '1.1') raw.socket.write('0\r\n\r\n');
  raw.socket.pause();
  closeLater(raw.socket);
}

/** Pieces show whether a slow client still takes something. */
function piecesOf(body: Answer['body'] = ''): Readable | Buffer[] {
  if (body instanceof Readable) return body;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const count = Math.ceil(bytes.length / PIECE_BYTES);
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * PIECE_BYTES, (i + 1) * PIECE_BYTES));
}
