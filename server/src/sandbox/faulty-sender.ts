import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Send } from '../http/server/answer.ts';
import type { Request } from '../http/server/request.ts';
import { headersOf } from '../http/server/send.ts';
import type { Fault, FaultKind } from './fault-kinds.ts';

type FaultySend = (
  request: Request,
  response: ServerResponse,
  answer: Answer,
  fault: Fault,
) => ReturnType<Send>;

/** No line of HTTP begins like this, and no character of UTF-8. */
export const GARBAGE = Buffer.from('\xff\xfe\x00 this is not HTTP \x00\xfe\xff\r\n\r\n', 'latin1');
/** A client that never finishes its request is not waited for longer than this. */
const LONGEST_REQUEST_MS = 1_000;
/** Of a body whose length is not known before it was sent, no more than this is held to find its half. */
const MOST_HELD_BYTES = 16 * 1024 * 1024;
/** A slow body is sent in steps of at least this time, and in at most so many of them. */
const STEP_MS = 50;
const MOST_STEPS = 20;
const STEP_BYTES = 64 * 1024;

type Pieces = AsyncIterable<Buffer> | Iterable<Buffer>;

export function faultySender(plain: Send): Send {
  const closed: FaultySend = ({ raw }, _, { body }) => {
    if (body instanceof Readable) body.destroy();
    return closeQuietly(raw);
  };

  const later: FaultySend = async (request, response, answer, { ms = 0 }) => {
    const left = new AbortController();
    response.once('close', () => left.abort());
    await sleep(ms, undefined, { signal: left.signal }).catch(() => {});
    return plain(request, response, answer);
  };

  const senders: Record<FaultKind, FaultySend> = {
    status: plain,
    delay: later,
    slow: (request, response, answer, fault) => {
      const { status, headers = [], body } = answer;
      const { pieces, length } = bytesOf(answer);
      if (request.method === 'HEAD' || length === 0) return later(request, response, answer, fault);
      const head = body instanceof Readable ? headers : [...headers, 'content-length', String(length)];
      return plain(request, response, { status, headers: head, body: slowed(pieces, length, fault.ms ?? 0) });
    },
    drop: closed,
    'lost-answer': closed,
    reset: ({ raw }) => void raw.socket.resetAndDestroy(),
    garbage: ({ raw }) => {
      raw.socket.write(GARBAGE);
      return closeQuietly(raw);
    },
    truncate: truncated,
    'stale-connection': (request, response, answer) => {
      response.once('finish', () => closeQuietly(request.raw));
      return plain(request, response, answer);
    },
  };

  return (request, response, answer) =>
    request.fault
      ? senders[request.fault.kind](request, response, answer, request.fault)
      : plain(request, response, answer);
}

async function truncated(request: Request, response: ServerResponse, answer: Answer): Promise<void> {
  response.writeHead(answer.status, headersOf(request, answer));
  response.flushHeaders();
  if (request.method !== 'HEAD') {
    const { pieces, length } = bytesOf(answer);
    // A stream of events has no end, and so no half: the first of it is cut.
    const mostHeld = answer.headers?.includes('text/event-stream') ? 1 : MOST_HELD_BYTES;
    const half = Readable.from(halfOf(pieces, length, mostHeld), { objectMode: false });
    await pipeline(half, response, { end: false }).catch(() => {});
  } else if (answer.body instanceof Readable) answer.body.destroy();
  await closeQuietly(request.raw);
}

/** Takes the rest of the request before it closes: a system with bytes left unread would reset the connection. */
async function closeQuietly(request: IncomingMessage): Promise<void> {
  const signal = AbortSignal.timeout(LONGEST_REQUEST_MS);
  if (!request.complete) await once(request.resume(), 'end', { signal }).catch(() => {});
  request.socket.destroySoon();
}

/** The body of an answer, and its length, if that is known before it is sent. */
function bytesOf({ headers = [], body }: Answer): { pieces: Pieces; length: number | undefined } {
  if (body instanceof Readable) {
    const at = headers.indexOf('content-length');
    return { pieces: body, length: at === -1 ? undefined : Number(headers[at + 1]) };
  }
  const bytes = Buffer.from(body ?? '');
  return { pieces: [bytes], length: bytes.length };
}

async function* halfOf(body: Pieces, length: number | undefined, mostHeld: number): AsyncGenerator<Buffer> {
  if (length === undefined) {
    const held = await heldOf(body, mostHeld);
    yield held.subarray(0, Math.floor(held.length / 2));
    return;
  }
  let left = Math.floor(length / 2);
  for await (const piece of body) {
    if (left > 0) yield piece.subarray(0, left);
    left -= piece.length;
    if (left <= 0) return;
  }
}

async function heldOf(body: Pieces, most: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    pieces.push(piece);
    length += piece.length;
    if (length >= most) break;
  }
  return Buffer.concat(pieces);
}

/** Sends in steps: as much of a known length as the time that has passed, or 64 KB a step of an unknown one. */
function slowed(body: Pieces, length: number | undefined, ms: number): Readable {
  const begun = performance.now();
  const leftMs = () => ms - (performance.now() - begun);
  const stepMs = Math.max(STEP_MS, ms / MOST_STEPS);
  async function* spread(): AsyncGenerator<Buffer> {
    let sent = 0;
    for await (let rest of body) {
      while (rest.length > 0) {
        const isOver = leftMs() <= 0;
        // The last byte is sent when the time is over, and never before.
        const due = length === undefined ? STEP_BYTES : Math.floor((length - 1) * (1 - leftMs() / ms)) - sent;
        const part = rest.subarray(0, isOver ? rest.length : Math.max(0, due));
        if (part.length > 0) yield part;
        sent += part.length;
        rest = rest.subarray(part.length);
        if (!isOver) await sleep(Math.min(stepMs, Math.max(1, leftMs())));
      }
    }
    if (leftMs() > 0) await sleep(leftMs());
  }
  return Readable.from(spread(), { objectMode: false });
}
