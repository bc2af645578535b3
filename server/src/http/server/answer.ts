import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Exchange } from '../observe/exchange.ts';
import type { Request } from './request.ts';

/** Handlers return it; it is written in one place, once. */
export interface Answer {
  readonly status: number;
  readonly headers?: readonly string[];
  readonly body?: string | Buffer | Readable | undefined;
  /** The text of a compressed body. */
  readonly plain?: string;
  readonly error?: string;
  /** Nothing of it is sent: a fault of the sandbox takes its place. */
  readonly isUnsent?: boolean;
}

export type Handler = (request: Request) => Answer | Promise<Answer>;

/** Resolves once all of the answer was handed over, or nobody takes it any more. */
export type Send = (request: Request, response: ServerResponse, answer: Answer) => void | Promise<void>;

export interface Observers {
  readonly finished: (exchange: Exchange) => void;
  /** Told why an answer could not be sent to its end. */
  readonly cutOff: (request: Request, error: unknown) => void;
}

export function jsonAnswer(value: unknown, status = 200, headers: readonly string[] = []): Answer {
  return {
    status,
    headers: ['content-type', 'application/json', ...headers],
    body: JSON.stringify(value),
  };
}

export function exchangeOf(
  request: Request,
  { status, body, plain, error, isUnsent = false }: Answer,
  address?: string,
): Exchange {
  return {
    id: request.id,
    caller: request.caller,
    refusedKey: request.refusedKey,
    method: request.method,
    url: request.url,
    operation: request.operation.operationId,
    fullName: request.operation.fullName ?? request.operation.operationId,
    status,
    error,
    fault: request.fault?.kind,
    isUnsent,
    isTriedOut: request.headers['x-tried-out'] !== undefined,
    userAgent: request.headers['user-agent'],
    address,
    traceparent: request.traceparent,
    requestBody: request.bodyBytes,
    answerBody: plain ?? (body instanceof Readable ? undefined : body),
    ms: performance.now() - request.arrivedAt,
  };
}
