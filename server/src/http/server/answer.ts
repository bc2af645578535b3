import { pipeline, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Exchange } from '../observe/exchange.ts';

/** What a request is answered with. Handlers return it; it is written in one place, once. */
export interface Answer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers?: readonly string[];
  readonly body?: Buffer | Readable | undefined;
  /** What a compressed body says. */
  readonly plain?: Buffer;
  /** The code of the error that it is. */
  readonly error?: string;
}

export type Handler = (request: FastifyRequest) => Answer | Promise<Answer>;
export type Send = (request: FastifyRequest, reply: FastifyReply, answer: Answer) => void;

declare module 'fastify' {
  interface FastifyRequest {
    /** When it arrived, by `performance.now()`. */
    arrivedAt: number;
    /** Headers of its answer, whatever that will be: names and values in turn. */
    answerHeaders: string[];
    /** The body as it was sent, once it was read. */
    bodyBytes: Buffer | undefined;
  }
}

const NO_HEADERS: readonly string[] = [];

/** Writes answers, head and body straight to the connection, and tells the observers of each. */
export function sender(observe: (exchange: Exchange) => void): Send {
  return (request, reply, answer) => {
    const { status, headers = NO_HEADERS, body } = answer;
    reply.hijack();
    const response = reply.raw;
    const head = [...request.answerHeaders, ...headers];
    const done = () => observe(exchangeOf(request, answer));
    if (!(body instanceof Readable)) {
      if (status !== 204 && status !== 304) head.push('content-length', String(body?.length ?? 0));
      response.writeHead(status, head);
      response.end(request.method === 'HEAD' ? undefined : body);
      return done();
    }
    response.writeHead(status, head);
    if (request.method !== 'HEAD') return void pipeline(body, response, done);
    body.destroy();
    response.end();
    done();
  };
}

/** A route's handler as the framework wants it. */
export function answering(handler: Handler, send: Send) {
  return (request: FastifyRequest, reply: FastifyReply): Promise<void> | void => {
    const answer = handler(request);
    if (answer instanceof Promise) return answer.then((ready) => send(request, reply, ready));
    send(request, reply, answer);
  };
}

export function jsonAnswer(value: unknown, status = 200, headers: readonly string[] = []): Answer {
  return {
    status,
    headers: ['content-type', 'application/json', ...headers],
    body: Buffer.from(JSON.stringify(value)),
  };
}

function exchangeOf(request: FastifyRequest, { status, body, plain, error }: Answer): Exchange {
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
