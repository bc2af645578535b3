import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors.ts';
import type { Handler, Send } from '../server/answer.ts';
import { answering, type Guard } from '../server/guard.ts';
import { refuseOthers } from '../server/refuse-others.ts';
import type { OperationInfo } from '../server/request.ts';
import { readBody } from '../server/request-body.ts';
import type { Method, OpenApiDocument, Operation, PathItem, RequestBody } from './openapi.ts';

/** The names of all operations of a document. */
type OperationId<D extends OpenApiDocument> = {
  [P in keyof D['paths']]: {
    [M in keyof D['paths'][P]]: D['paths'][P][M] extends { operationId: infer Id extends string }
      ? Id
      : never;
  }[keyof D['paths'][P]];
}[keyof D['paths']];

export interface Version<D extends OpenApiDocument> {
  readonly document: D;
  readonly handlers: Record<OperationId<D>, Handler>;
  /** What every request under the version's base address passes, in this order. */
  readonly guards: readonly Guard[];
}

/** Serves one version under its base address. */
export function serveVersion<D extends OpenApiDocument>(
  app: FastifyInstance,
  send: Send,
  prefix: string,
  version: Version<D>,
): void {
  app.register(async (scope) => serveOperations(scope, send, version), { prefix });
}

/** Routes every operation of the document to the handler of its name: what is not documented is not there. */
function serveOperations<D extends OpenApiDocument>(
  app: FastifyInstance,
  send: Send,
  { document, handlers, guards }: Version<D>,
): void {
  const methods = new Map<string, string[]>();
  for (const [path, item] of Object.entries<PathItem>(document.paths)) {
    const url = path.replace(/\{(\w+)\}/g, ':$1');
    const operations = Object.entries(item) as Array<[Method, Operation]>;
    for (const [method, { operationId, deprecated = false, requestBody }] of operations) {
      const own = [about({ operationId, deprecated }), ...guards];
      if (requestBody) own.push(readBody(...bodyTypesOf(requestBody)));
      app.route({
        method: method.toUpperCase(),
        url,
        ...answering(handlers[operationId as OperationId<D>], send, own),
      });
    }
    const allowed = operations.flatMap(([method]) =>
      method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
    );
    methods.set(url, allowed);
    // `/pets/` is not a pet with an empty id, but a path that does not exist.
    if (/\/:\w+$/.test(url))
      app.route({
        method: allowed,
        url: url.slice(0, url.indexOf(':')),
        ...answering(notFound, send, guards),
      });
  }
  refuseOthers(app, send, guards, methods);
}

function bodyTypesOf({ content, 'x-also-as': others = [] }: RequestBody): string[] {
  return [...Object.keys(content), ...others];
}

export const about =
  (operation: OperationInfo): Guard =>
  (request) => {
    request.operation = operation;
    return undefined;
  };

export function notFound(): never {
  throw new ApiError('not_found');
}
