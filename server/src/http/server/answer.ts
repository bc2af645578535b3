import { pipeline, Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Exchange } from '../observe/exchange.ts';
import { writeHead, writeHeadByNode } from './head.ts';
import { linesOf } from './header-lines.ts';
import { isNewest } from './pipelining.ts';
import type { Request } from './request.ts';

/** What a request is answered with. Handlers return it; it is written in one place, once. */
export interface Answer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers?: readonly string[];
  /** A short text is sent in one piece with the head, which is quicker than bytes. */
  readonly body?: string | Buffer | Readable | undefined;
  /** What a compressed body says. */
  readonly plain?: string;
  /** The code of the error that it is. */
  readonly error?: string;
}

export type Handler = (request: Request) => Answer | Promise<Answer>;
export type Send = (request: Request, reply: FastifyReply, answer: Answer) => void;

export interface Observers {
  /** Told of every exchange, once its answer was handed over. */
  readonly finished: (exchange: Exchange) => void;
  /** Told why an answer could not be sent to its end. */
  readonly cutOff: (request: Request, error: Error) => void;
}

const NO_HEADERS: readonly string[] = [];

/** Writes answers, head and body straight to the connection, and tells the observers of each. */
export function sender({ finished, cutOff }: Observers): Send {
  return (request, reply, answer) => {
    const { status, headers = NO_HEADERS, body } = answer;
    reply.hijack();
    const response = reply.raw;
    const isHead = request.method === 'HEAD';
    // Whoever is answered by a service that is stopping is told to leave, before it finds the connection closed.
    if (!request.server.server.listening && isNewest(request.raw, response)) response.shouldKeepAlive = false;
    if (!(body instanceof Readable)) {
      const length = body === undefined ? 0 : Buffer.byteLength(body);
      const isEmpty = status === 204 || status === 304;
      const all = isEmpty ? headers : [...headers, 'content-length', String(length)];
      writeHead(response, status, linesOf(request.answerHeaders), all);
      // Text of one byte a character is the same in Latin-1, and takes a third of the room to send.
      if (isHead) response.end();
      else response.end(body, length === body?.length ? 'latin1' : 'utf8');
      return finished(exchangeOf(request, answer));
    }
    writeHeadByNode(response, status, linesOf(request.answerHeaders), headers);
    if (isHead) {
      body.destroy();
      response.end();
      return finished(exchangeOf(request, answer));
    }
    pipeline(body, response, (error) => {
      if (error && !isReaderGone(error)) cutOff(request, error);
      finished(exchangeOf(request, answer));
    });
  };
}

export function jsonAnswer(value: unknown, status = 200, headers: readonly string[] = []): Answer {
  return {
    status,
    headers: ['content-type', 'application/json', ...headers],
    body: JSON.stringify(value),
  };
}

function isReaderGone({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
}

export function exchangeOf(request: Request, { status, body, plain, error }: Answer): Exchange {
  return {
    id: request.id,
    caller: request.caller,
    refusedKey: request.refusedKey,
    method: request.method,
    url: request.originalUrl,
    operation: request.operation.operationId,
    status,
    error,
    userAgent: request.headers['user-agent'],
    requestBody: request.bodyBytes,
    answerBody: plain ?? (body instanceof Readable ? undefined : body),
    ms: performance.now() - request.arrivedAt,
  };
}
