import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Request } from './request.ts';

export interface Answer {
  readonly status: number;
  readonly headers?: readonly string[];
  readonly body?: string | Buffer | Readable | undefined;
  readonly uncompressed?: string;
  readonly error?: string;
  /** Nothing of it is sent: a fault of the sandbox takes its place. */
  readonly isUnsent?: boolean;
  /** Called once the answer was handed over, or nobody takes it any more. */
  readonly release?: () => void;
}

/** Lets a request pass, answers it, or refuses it by throwing. */
export type Guard = (request: Request) => Answer | undefined | Promise<Answer | undefined>;

/** The moment at which a request takes place: the clock's, or in the sandbox what it asks for by `Prefer: now=…`. */
export type RequestClock = (request: Request) => number;

export type Handler = (request: Request) => Answer | Promise<Answer>;

/** Resolves once the answer was handed over, or nobody takes it any more. */
export type Send = (request: Request, response: ServerResponse, answer: Answer) => void | Promise<void>;

export interface Exchange {
  readonly request: Request;
  readonly answer: Answer;
  readonly ms: number;
}

export function jsonAnswer(value: unknown, status = 200, headers: readonly string[] = []): Answer {
  return { status, headers: ['content-type', 'application/json', ...headers], body: JSON.stringify(value) };
}
