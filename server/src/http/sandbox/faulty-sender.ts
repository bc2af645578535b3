import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';
import type { Exchange } from '../observe/exchange.ts';
import { type Answer, exchangeOf, type Send } from '../server/answer.ts';
import { writeHeadByNode } from '../server/head.ts';
import { linesOf } from '../server/header-lines.ts';
import type { Request } from '../server/request.ts';
import { announcedLength, halfOf, piecesOf, slowed } from './bodies.ts';
import { closeQuietly, inItsTurn } from './connection.ts';
import type { Fault, FaultKind } from './fault-kinds.ts';

export interface FaultySenderOptions {
  readonly plain: Send;
  readonly observe: (exchange: Exchange) => void;
  /** The fault that a request meets. */
  readonly faultOf: (request: Request) => Fault | undefined;
}

/** An answer whose bytes can be cut, spread and counted. */
interface AnswerOfBytes extends Answer {
  readonly body?: Buffer | Readable | undefined;
}

type FaultyAnswer = (request: Request, reply: FastifyReply, answer: AnswerOfBytes, fault: Fault) => void;

/** No line of HTTP begins like this, and no character of UTF-8. */
export const GARBAGE = Buffer.from('\xff\xfe\x00 this is not HTTP \x00\xfe\xff\r\n\r\n', 'latin1');

/** Sends answers as the plain sender does, save those of requests that meet a fault. */
export function faultySender({ plain, observe, faultOf }: FaultySenderOptions): Send {
  const closes = (how: (request: Request, reply: FastifyReply) => Promise<void>) => {
    return (request: Request, reply: FastifyReply, answer: AnswerOfBytes) => {
      if (answer.body instanceof Readable) answer.body.destroy();
      void how(request, reply).then(() => observe(exchangeOf(request, answer)));
    };
  };
  const closed = closes(async ({ raw }, reply) => {
    const socket = await inItsTurn(reply.raw);
    if (socket) closeQuietly(raw, socket);
  });

  const later = (request: Request, reply: FastifyReply, answer: AnswerOfBytes, ms: number) => {
    const send = () => {
      clearTimeout(timer);
      reply.raw.off('close', send);
      plain(request, reply, answer);
    };
    const timer = setTimeout(send, ms);
    // Nobody waits any more: what the answer holds is let go.
    reply.raw.once('close', send);
  };

  const senders: Record<FaultKind, FaultyAnswer> = {
    status: plain,
    delay: (request, reply, answer, { ms = 0 }) => later(request, reply, answer, ms),
    slow: (request, reply, answer, { ms = 0 }) => {
      const { status, headers = [], body } = answer;
      if (body === undefined || !hasBytes(request, answer)) return later(request, reply, answer, ms);
      const length = announcedLength(headers, body);
      const head = Buffer.isBuffer(body) ? [...headers, 'content-length', String(length)] : headers;
      plain(request, reply, { status, headers: head, body: slowed(piecesOf(body), length, ms) });
    },
    drop: closed,
    'lost-answer': closed,
    reset: closes(async (_, reply) => void (await inItsTurn(reply.raw))?.resetAndDestroy()),
    garbage: closes(async ({ raw }, reply) => {
      const socket = await inItsTurn(reply.raw);
      socket?.write(GARBAGE);
      if (socket) closeQuietly(raw, socket);
    }),
    truncate: (request, reply, answer) => {
      void truncated(request, reply, answer).then(() => observe(exchangeOf(request, answer)));
    },
    'stale-connection': (request, reply, answer) => {
      const response = reply.raw;
      // The connection is no longer the answer's own when the answer has ended.
      void inItsTurn(response).then((socket) => {
        if (socket) response.once('finish', () => closeQuietly(request.raw, socket));
        plain(request, reply, answer);
      });
    },
  };

  return (request, reply, answer) => {
    const fault = faultOf(request);
    if (!fault) return plain(request, reply, answer);
    reply.hijack();
    const { body } = answer;
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    senders[fault.kind](request, reply, { ...answer, body: bytes }, fault);
  };
}

/** Whether a body of this answer goes over the connection. */
function hasBytes({ method }: Request, { body }: AnswerOfBytes): boolean {
  return method !== 'HEAD' && body !== undefined && (!Buffer.isBuffer(body) || body.length > 0);
}

async function truncated(request: Request, reply: FastifyReply, answer: AnswerOfBytes): Promise<void> {
  const { status, headers = [], body } = answer;
  const response = reply.raw;
  const socket = await inItsTurn(response);
  if (!socket) return void (body instanceof Readable && body.destroy());
  const length = Buffer.isBuffer(body) ? ['content-length', String(body.length)] : [];
  writeHeadByNode(response, status, linesOf(request.answerHeaders), [...headers, ...length]);
  response.flushHeaders();
  if (body !== undefined && hasBytes(request, answer)) {
    const half = Readable.from(halfOf(piecesOf(body), announcedLength(headers, body)), { objectMode: false });
    await pipeline(half, response, { end: false }).catch(() => {});
  } else if (body instanceof Readable) body.destroy();
  closeQuietly(request.raw, socket);
}
