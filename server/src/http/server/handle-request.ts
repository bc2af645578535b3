import { tracingChannel } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { currentTraceContext, traceContextOf } from '../../telemetry/traceparent.ts';
import { ApiError, describeAndLog } from '../errors.ts';
import { rejectMalformed } from './incoming-request.ts';
import {
  type Exchange,
  type Guard,
  jsonResponse,
  MAX_OBSERVED_BYTES,
  type Request,
  type Response,
  type Send,
} from './request.ts';
import type { Routes } from './routes.ts';
import { unreadLimitError } from './send.ts';

/** Spans a request from its first guard until its response is created. */
const requestChannel = tracingChannel('petstore.request');

/** Shorter response bodies are not counted as in flight: a connection has at most one. */
const MAX_UNCOUNTED_BYTES = 16 * 1024;

interface HandlerOptions {
  readonly routes: Routes;
  readonly notFound: Guard;
  readonly send: Send;
  readonly observe: (exchange: Exchange) => void;
  readonly log: Logger;
}

/** Runs guards and handler of each request, sends the response, then notifies the observers. */
export function requestHandler({ routes, notFound, send, observe, log }: HandlerOptions) {
  async function createResponse(request: Request): Promise<Response> {
    try {
      rejectMalformed(request);
      const found = routes.find(request.method, request.path);
      request.params = found?.params ?? {};
      request.allow = found?.allow ?? '';
      const handle = () =>
        requestChannel.tracePromise(() => runSteps(request, found?.steps ?? [notFound]), { request });
      const trace = traceContextOf(request.traceparent, request.headers.tracestate);
      return await (trace ? currentTraceContext.run(trace, handle) : handle());
    } catch (error) {
      return errorResponseFor(error, request, log);
    }
  }

  /** Not part of `exchange`, which is suspended while a slow client reads, and would keep the original body in memory. */
  async function createAndReserve(request: Request, res: ServerResponse): Promise<Response> {
    const created = await createResponse(request);
    for (const callback of request.onHandled ?? []) callback();
    freeBody(request);
    return reserveBody(request, res, created) ?? errorResponseFor(unreadLimitError(), request, log);
  }

  async function exchange(request: Request, res: ServerResponse): Promise<void> {
    const response = await createAndReserve(request, res);
    try {
      await send(request, res, response);
    } catch (error) {
      const level = error instanceof ApiError ? 'warn' : 'error';
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!disconnectCodes.has(code)) log[level]({ id: request.id, err: error }, 'response aborted');
      request.raw.socket.destroy();
    }
    observe({ request, response, ms: performance.now() - request.arrivedAt });
  }

  return (request: Request, res: ServerResponse): void => {
    exchange(request, res).catch((error) => log.error({ id: request.id, err: error }, 'observer failed'));
  };
}

/** Frees the request body, except the part that observers use: a slow client may take long to read its response. */
function freeBody(request: Request): void {
  request.body = undefined;
  const { bodyBytes } = request;
  if (bodyBytes && bodyBytes.length > MAX_OBSERVED_BYTES)
    request.bodyBytes = Buffer.from(bodyBytes.subarray(0, MAX_OBSERVED_BYTES));
}

/** Counts a long body as in flight until its client has read it; undefined beyond the limit. `sendBody` counts streams. */
function reserveBody(request: Request, res: ServerResponse, response: Response): Response | undefined {
  const { body, isStatic } = response;
  if (!body || body instanceof Readable || body.length <= MAX_UNCOUNTED_BYTES) return response;
  if (isStatic || request.method === 'HEAD' || request.raw.socket.destroyed) return response;
  // Sent as bytes, so that the string is freed.
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const reservation = request.reserve(bytes, bytes.length);
  if (reservation) res.once('close', () => reservation[Symbol.dispose]());
  return reservation && { ...response, body: bytes };
}

/** The first response ends the chain; the handler is the last step. */
async function runSteps(request: Request, steps: readonly Guard[]): Promise<Response> {
  for (const step of steps) {
    const result = step(request);
    // Most guards are synchronous: awaiting each would cost more than the guard itself.
    const response = result instanceof Promise ? await result : result;
    if (response) return response;
  }
  throw new Error(`no step responded to ${request.method} ${request.path}`);
}

function errorResponseFor(error: unknown, request: Request, log: Logger): Response {
  const body = describeAndLog(error, request, log);
  const headers = error instanceof ApiError ? error.headers : [];
  const lacksRetryAfter = body.status === 503 && !headers.includes('retry-after');
  const allHeaders = lacksRetryAfter ? ['retry-after', '1', ...headers] : headers;
  return { ...jsonResponse(body, body.status, allHeaders), error: body.code };
}

const disconnectCodes = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ECANCELED',
  'ECONNRESET',
  'EPIPE',
]);
