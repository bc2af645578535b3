import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Answer, Send } from '../http/server/answer.ts';
import type { Request } from '../http/server/request.ts';
import { headersOf } from '../http/server/send.ts';
import { closeQuietly } from './connection.ts';
import type { Fault, FaultKind } from './fault-kinds.ts';
import { announcedLength, halfOf, piecesOf, slowed } from './faulty-bodies.ts';

/** An answer whose bytes can be cut, spread and counted. */
interface AnswerOfBytes extends Answer {
  readonly body?: Buffer | Readable | undefined;
}

type FaultyAnswer = (
  request: Request,
  response: ServerResponse,
  answer: AnswerOfBytes,
  fault: Fault,
) => void | Promise<void>;

/** No line of HTTP begins like this, and no character of UTF-8. */
export const GARBAGE = Buffer.from('\xff\xfe\x00 this is not HTTP \x00\xfe\xff\r\n\r\n', 'latin1');

/** Sends answers as the plain sender does, save those of requests that meet a fault. */
export function faultySender(plain: Send): Send {
  const closed: FaultyAnswer = ({ raw }, _, { body }) => {
    if (body instanceof Readable) body.destroy();
    closeQuietly(raw);
  };

  const later: FaultyAnswer = async (request, response, answer, { ms = 0 }) => {
    await waited(response, ms);
    return plain(request, response, answer);
  };

  const senders: Record<FaultKind, FaultyAnswer> = {
    status: plain,
    delay: later,
    slow: (request, response, answer, fault) => {
      const { status, headers = [], body } = answer;
      if (body === undefined || !hasBytes(request, answer)) return later(request, response, answer, fault);
      const length = announcedLength(headers, body);
      const head = Buffer.isBuffer(body) ? [...headers, 'content-length', String(length)] : headers;
      const spread = slowed(piecesOf(body), length, fault.ms ?? 0);
      return plain(request, response, { status, headers: head, body: spread });
    },
    drop: closed,
    'lost-answer': closed,
    reset: ({ raw }) => void raw.socket.resetAndDestroy(),
    garbage: ({ raw }) => {
      raw.socket.write(GARBAGE);
      closeQuietly(raw);
    },
    truncate: truncated,
    'stale-connection': (request, response, answer) => {
      response.once('finish', () => closeQuietly(request.raw));
      return plain(request, response, answer);
    },
  };

  return (request, response, answer) => {
    const { fault } = request;
    if (!fault) return plain(request, response, answer);
    const { body } = answer;
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    return senders[fault.kind](request, response, { ...answer, body: bytes }, fault);
  };
}

/** Waits so long, or until nobody waits for the answer any more. */
function waited(response: ServerResponse, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      response.off('close', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    response.once('close', over);
  });
}

/** Whether a body of this answer goes over the connection. */
function hasBytes({ method }: Request, { body }: AnswerOfBytes): boolean {
  return method !== 'HEAD' && body !== undefined && (!Buffer.isBuffer(body) || body.length > 0);
}

async function truncated(request: Request, response: ServerResponse, answer: AnswerOfBytes): Promise<void> {
  const { status, headers = [], body } = answer;
  response.writeHead(status, headersOf(request, answer));
  response.flushHeaders();
  if (body !== undefined && hasBytes(request, answer)) {
    const half = Readable.from(halfOf(piecesOf(body), announcedLength(headers, body)), { objectMode: false });
    await pipeline(half, response, { end: false }).catch(() => {});
  } else if (body instanceof Readable) body.destroy();
  closeQuietly(request.raw);
}
