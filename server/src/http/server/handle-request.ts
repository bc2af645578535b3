import { tracingChannel } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { currentTraceparent } from '../../telemetry/traceparent.ts';
import { ApiError, describeAndLog } from '../errors.ts';
import { rejectMalformed } from './arrival.ts';
import {
  type Exchange,
  type Guard,
  jsonResponse,
  OBSERVED_BYTES,
  type Request,
  type Response,
  type Send,
} from './request.ts';
import type { Routes } from './routes.ts';
import { unreadLimit } from './send.ts';

/** For whoever traces: a request from its first guard until its answer is made. */
const requests = tracingChannel('petstore.request');

/** A shorter body is part of what a connection costs. */
const MAX_UNCOUNTED_BYTES = 16 * 1024;

export interface HandlingOptions {
  readonly routes: Routes;
  /** Answers what is at none of them. */
  readonly elsewhere: Guard;
  readonly send: Send;
  readonly observe: (exchange: Exchange) => void;
  readonly log: Logger;
}

/** Takes every request through its guards, its handler and the sending of its answer, and then tells the observers. */
export function handling({ routes, elsewhere, send, observe, log }: HandlingOptions) {
  async function createResponse(request: Request): Promise<Response> {
    try {
      rejectMalformed(request);
      const { method, path } = request;
      const { steps, params } = routes.find(method, path) ?? { steps: [elsewhere], params: {} };
      request.params = params;
      const handle = () => requests.tracePromise(() => pass(request, steps), { request });
      return await (request.traceparent ? currentTraceparent.run(request.traceparent, handle) : handle());
    } catch (error) {
      return errorResponseFor(error, request, log);
    }
  }

  async function exchange(request: Request, res: ServerResponse): Promise<void> {
    const made = await createResponse(request);
    for (const done of request.whenHandled ?? []) done();
    freeBody(request);
    const response = heldResponse(request, res, made) ?? errorResponseFor(unreadLimit(), request, log);
    try {
      await send(request, res, response);
    } catch (error) {
      const level = error instanceof ApiError ? 'warn' : 'error';
      if (!isReaderGone(error)) log[level]({ id: request.id, err: error }, 'an answer was cut off');
      request.raw.socket.destroy();
    }
    observe({ request, response, ms: performance.now() - request.arrivedAt });
  }

  return (request: Request, res: ServerResponse): void => {
    exchange(request, res).catch((error) => log.error({ id: request.id, err: error }, 'not observed'));
  };
}

/** Only what observers are shown stays while a slow client reads its response. */
function freeBody(request: Request): void {
  request.body = undefined;
  const { bodyBytes } = request;
  if (bodyBytes && bodyBytes.length > OBSERVED_BYTES)
    request.bodyBytes = Buffer.from(bodyBytes.subarray(0, OBSERVED_BYTES));
}

/** Holds a long body until its client has read it; undefined if no more may be held. Streams hold each chunk instead. */
function heldResponse(request: Request, res: ServerResponse, response: Response): Response | undefined {
  const { body, isStatic } = response;
  const { method, raw } = request;
  if (!body || body instanceof Readable || body.length <= MAX_UNCOUNTED_BYTES) return response;
  if (isStatic || method === 'HEAD' || raw.socket.destroyed) return response;
  // Sent as bytes, so that the text is freed.
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const held = request.hold(bytes, bytes.length);
  if (held) res.once('close', () => held[Symbol.dispose]());
  return held && { ...response, body: bytes };
}

/** The first answer counts; the handler stands last. */
async function pass(request: Request, steps: readonly Guard[]): Promise<Response> {
  for (const step of steps) {
    const passed = step(request);
    // Most guards look and are done: waiting for each costs more than what it does.
    const response = passed instanceof Promise ? await passed : passed;
    if (response) return response;
  }
  throw new Error(`nothing answers ${request.method} ${request.path}`);
}

function errorResponseFor(error: unknown, request: Request, log: Logger): Response {
  const body = describeAndLog(error, request, log);
  const headers = error instanceof ApiError ? error.headers : [];
  const lacksRetryAfter = body.status === 503 && !headers.includes('retry-after');
  const more = lacksRetryAfter ? ['retry-after', '1', ...headers] : headers;
  return { ...jsonResponse(body, body.status, more), error: body.code };
}

const readerGone = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE']);

function isReaderGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return readerGone.has(code ?? '');
}
