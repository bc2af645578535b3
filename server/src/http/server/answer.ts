import { pipeline, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Exchange } from '../observe/exchange.ts';

/** What a request is answered with. Handlers return it; it is written in one place, once. */
export interface Answer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers?: readonly string[];
  readonly body?: Buffer | Readable | undefined;
}

export type Handler = (request: FastifyRequest) => Answer | Promise<Answer>;
export type Send = (request: FastifyRequest, reply: FastifyReply, answer: Answer) => void;

declare module 'fastify' {
  interface FastifyRequest {
    /** When it arrived, by `performance.now()`. */
    arrivedAt: number;
    /** Headers of its answer, whatever that will be: names and values in turn. */
    answerHeaders: string[];
  }
}

const NO_HEADERS: readonly string[] = [];

/** Writes answers, head and body straight to the connection, and tells the observers of each. */
export function sender(observe: (exchange: Exchange) => void): Send {
  return (request, reply, { status, headers = NO_HEADERS, body }) => {
    reply.hijack();
    const response = reply.raw;
    const head = [...request.answerHeaders, ...headers];
    const done = () => observe(exchangeOf(request, status));
    // Whoever is answered by a service that is stopping is told to leave, before it finds the connection closed.
    if (!request.server.server.listening && isNewest(request)) response.shouldKeepAlive = false;
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

const newest = Symbol('the newest request of a connection');

/** Remembers of each connection which request came last: only its answer may be the last one. */
export function noteArrival({ raw }: FastifyRequest): void {
  (raw.socket as { [newest]?: unknown })[newest] = raw;
}

function isNewest({ raw }: FastifyRequest): boolean {
  return (raw.socket as { [newest]?: unknown })[newest] === raw;
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

function exchangeOf(request: FastifyRequest, status: number): Exchange {
  return {
    id: request.id,
    caller: request.caller,
    method: request.method,
    url: request.originalUrl,
    operation: request.operation.operationId,
    status,
    ms: performance.now() - request.arrivedAt,
  };
}
