import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { ApiError, describeError, errorBody } from '../errors.ts';
import { requestId } from '../guards/request-id.ts';
import { noOperation } from '../openapi/operation.ts';
import { type Answer, jsonAnswer, noteArrival, type Send } from './answer.ts';
import { httpServer } from './http-server.ts';
import { answerClientError, answerRawErrors, MAX_HEADER_BYTES, MAX_URL_LENGTH } from './raw-errors.ts';

/**
 * The framework as it is used here: it routes, reads bodies and closes. Answers are written by `send`, and what is
 * wrong with a request before anyone asks what it wants is found here.
 */
export function openFramework(send: Send, log: Logger): FastifyInstance {
  let closing = false;
  const app = Fastify({
    logger: false,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    serverFactory: httpServer,
    clientErrorHandler: (error, socket) => answerClientError(error, socket, log),
    rewriteUrl: (request) => literalIfMalformed(request.url ?? '/'),
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  });
  answerRawErrors(app.server, log);

  app.decorateRequest('arrivedAt', 0);
  app.decorateRequest('answerHeaders');
  app.decorateRequest('caller', null);
  app.decorateRequest('operation');
  app.addHook('onRequest', (request, _, done) => {
    request.arrivedAt = performance.now();
    noteArrival(request);
    request.operation = noOperation;
    request.answerHeaders = ['x-request-id', request.id];
    done(refusal(request, closing));
  });
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.setErrorHandler((error, request, reply) => send(request, reply, errorAnswer(error, request, log)));
  app.setNotFoundHandler(() => {
    throw new ApiError('not_found');
  });
  return app;
}

function errorAnswer(error: unknown, request: FastifyRequest, log: Logger): Answer {
  // Whatever the framework dislikes about a request for nothing, what it asks for is not there.
  const isNothing = request.is404 && String((error as { code?: string }).code).startsWith('FST_');
  const body = isNothing ? errorBody('not_found') : describeError(error);
  if (body.status >= 500) log.error({ id: request.id, err: error }, body.code);
  const headers = error instanceof ApiError ? error.headers : [];
  return jsonAnswer(body, body.status, body.status === 503 ? ['retry-after', '1', ...headers] : headers);
}

/** A path whose escapes are broken names nothing; taken literally, it is simply not found. */
function literalIfMalformed(url: string): string {
  if (!url.includes('%')) return url;
  const [path = '', ...query] = url.split('?');
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

/** What is wrong with a request, whatever it asks for. */
function refusal({ headers, raw, originalUrl }: FastifyRequest, closing: boolean): ApiError | undefined {
  if (closing) return new ApiError('unavailable', 'The service is shutting down. Try again shortly.');
  if (originalUrl.length > MAX_URL_LENGTH) return new ApiError('uri_too_long');
  if (headers.host === undefined && raw.httpVersion === '1.1') {
    return new ApiError('bad_request', 'An HTTP/1.1 request needs a Host header.');
  }
  return undefined;
}
