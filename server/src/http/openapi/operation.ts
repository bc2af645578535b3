import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, type ErrorCode } from '../errors.ts';
import type { Method, OpenApiDocument, Operation, PathItem, RequestBody } from './openapi.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    operationId?: string;
    deprecated?: boolean;
  }
  interface FastifyRequest {
    /** What is known of the route; asking the framework each time would cost more than it should. */
    operation: FastifyContextConfig;
  }
}

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The names of all operations of a document. */
export type OperationId<D extends OpenApiDocument> = {
  [P in keyof D['paths']]: {
    [M in keyof D['paths'][P]]: D['paths'][P][M] extends { operationId: infer Id extends string }
      ? Id
      : never;
  }[keyof D['paths'][P]];
}[keyof D['paths']];

/** Routes every operation of the document to the handler of its name: what is not documented is not there. */
export function serveOperations<D extends OpenApiDocument>(
  app: FastifyInstance,
  document: D,
  handlers: Record<OperationId<D>, Handler>,
): void {
  for (const [path, item] of Object.entries<PathItem>(document.paths)) {
    const url = path.replace(/\{(\w+)\}/g, ':$1');
    const operations = Object.entries(item) as Array<[Method, Operation]>;
    for (const [method, { operationId, deprecated = false, requestBody }] of operations) {
      const handler = handlers[operationId as OperationId<D>];
      const config = {
        operationId,
        deprecated,
        ...(requestBody && { bodyTypes: bodyTypesOf(requestBody) }),
      };
      app.route({ method: method.toUpperCase(), url, config, handler });
    }
    if (/\/:\w+$/.test(url)) refuseEmptyId(app, url.slice(0, url.indexOf(':')));
    refuseOtherMethods(
      app,
      url,
      operations.flatMap(([method]) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])),
    );
  }
}

function bodyTypesOf({ content, 'x-also-as': others = [] }: RequestBody): string[] {
  return [...Object.keys(content), ...others];
}

/** `/pets/` is not a pet with an empty id, but a path that does not exist. */
function refuseEmptyId(app: FastifyInstance, url: string): void {
  app.route({ method: knownMethods(app), url, onRequest: refuseWith('not_found'), handler: () => {} });
}

function refuseOtherMethods(app: FastifyInstance, url: string, allowed: string[]): void {
  app.route({
    method: knownMethods(app).filter((method) => !allowed.includes(method)),
    url,
    // Refused before the body is looked at: a wrong method is the first thing wrong with the request.
    onRequest: refuseWith('method_not_allowed', { allow: allowed.join(', ') }),
    handler: () => {},
  });
}

function refuseWith(code: ErrorCode, headers: Record<string, string> = {}) {
  return async (_: FastifyRequest, reply: FastifyReply) => {
    reply.headers(headers);
    throw new ApiError(code);
  };
}

/** Every method that Node can parse, save CONNECT, which is no request for a resource. */
function knownMethods(app: FastifyInstance): string[] {
  const methods = METHODS.filter((method) => method !== 'CONNECT');
  for (const method of methods) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  return methods;
}
