import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Answer, Send } from './answer.ts';
import { LINGER_MS } from './connections.ts';
import type { Request } from './request.ts';
import { hasUnwantedBody } from './request-body.ts';

/** In pieces it shows whether a slow client still takes something. */
const PIECE_BYTES = 64 * 1024;

export const sendPlainly: Send = (request, response, answer) => {
  if (!request.raw.socket.writable) return discard(answer.body);
  const leavesBodyUnread = hasUnwantedBody(request);
  request.closesConnection ||= leavesBodyUnread;
  response.writeHead(answer.status, headersOf(request, answer));
  const isHead = request.method === 'HEAD';
  if (isHead) discard(answer.body);
  const body = isHead ? undefined : answer.body;
  if (leavesBodyUnread || body instanceof Readable || (body?.length ?? 0) > PIECE_BYTES)
    return sendInPieces(request, response, body, leavesBodyUnread);
  return void response.end(body);
};

async function sendInPieces(
  request: Request,
  response: ServerResponse,
  body: Answer['body'],
  leavesBodyUnread: boolean,
): Promise<void> {
  if (body === undefined) response.flushHeaders();
  else {
    const pieces = body instanceof Readable ? body : Readable.from(piecesOf(body), { objectMode: false });
    await pipeline(pieces, response, { end: !leavesBodyUnread });
  }
  if (!leavesBodyUnread) return;
  // Node writes the end of chunks with the end of the response only.
  if (body instanceof Readable && request.raw.httpVersion === '1.1') request.raw.socket.write('0\r\n\r\n');
  await closeLater(request);
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

/** Closing a connection with an unread body resets it: its client first gets time to read the answer. */
function closeLater({ raw: { socket } }: Request): Promise<void> {
  socket.pause();
  return new Promise((resolve) => {
    const late = setTimeout(() => socket.destroySoon(), LINGER_MS);
    socket.once('close', () => {
      clearTimeout(late);
      resolve();
    });
  });
}

function* piecesOf(body: string | Buffer): Generator<Buffer> {
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

function discard(body: Answer['body']): void {
  if (body instanceof Readable) body.destroy();
}
