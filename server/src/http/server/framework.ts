import Fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { ApiError, describeError, errorBody } from '../errors.ts';
import { type Answer, jsonAnswer, type Send } from './answer.ts';
import { problemWith, routedTarget } from './arrival.ts';
import { type ConnectionOptions, httpServer } from './http-server.ts';
import { answerClientError, answerRawErrors, MAX_HEADER_BYTES } from './raw-errors.ts';
import type { Request } from './request.ts';
import { prepareRequests } from './request.ts';
import { requestId } from './request-id.ts';

/**
 * The framework as it is used here: it routes and closes. Answers are written by `send`, and a request
 * that is refused before anyone asks what it wants is refused here.
 */
export function openFramework(
  send: Send,
  log: Logger,
  /** What a browser is shown that asked for a page which is not there; undefined for everything else. */
  missingPage: (request: Request) => Answer | undefined,
  connections: ConnectionOptions = {},
): FastifyInstance {
  let closing = false;
  const app = Fastify({
    logger: false,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    serverFactory: (listener) => httpServer(listener, log, connections),
    clientErrorHandler: (error, socket) => answerClientError(error, socket, log),
    rewriteUrl: (request) => routedTarget(request.url ?? '/'),
    // An id of any length is ours to refuse, and so is a request that comes while we close.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    // The framework checks and writes nothing by schemas here, so that what does it is not loaded.
    schemaController: { compilersFactory: { buildValidator: unused, buildSerializer: unused } },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  });
  answerRawErrors(app.server, log);

  prepareRequests(app, (request) => (closing ? stopping() : problemWith(request)));
  app.addHook('preClose', async () => {
    closing = true;
  });
  const shown = (answer: Answer, request: Request) =>
    answer.error === 'not_found' ? (missingPage(request) ?? answer) : answer;
  app.setErrorHandler((error, request, reply) =>
    send(request, reply, shown(answerToError(error, request, log), request)),
  );
  app.setNotFoundHandler(() => {
    throw new ApiError('not_found');
  });
  return app;
}

function unused(): never {
  throw new Error('no route has a schema');
}

function stopping(): ApiError {
  return new ApiError('unavailable', 'The service is shutting down. Try again shortly.');
}

function answerToError(error: unknown, request: Request, log: Logger): Answer {
  // Whatever the framework dislikes about a request for nothing, what it asks for is not there.
  const isNothing = request.is404 && String((error as { code?: string }).code).startsWith('FST_');
  const body = isNothing ? errorBody('not_found') : describeError(error);
  // One that is meant for the client was no mistake of ours; the line of its request tells of it.
  if (body.status >= 500 && !(error instanceof ApiError))
    log.error({ id: request.id, err: error }, body.code);
  const headers = error instanceof ApiError ? error.headers : [];
  const isSilent = body.status === 503 && !headers.includes('retry-after');
  const more = isSilent ? ['retry-after', '1', ...headers] : headers;
  return { ...jsonAnswer(body, body.status, more), error: body.code };
}
