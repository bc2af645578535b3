import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors.ts';
import { answering, type Handler, type Send } from '../server/answer.ts';
import { type Guard, passing } from '../server/guard.ts';
import { refuseOthers } from '../server/refuse-others.ts';
import type { OperationInfo } from '../server/request.ts';
import { readBodies } from '../server/request-body.ts';
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
  app.register(
    async (scope) => {
      readBodies(scope);
      serveOperations(scope, send, version);
    },
    { prefix },
  );
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
      const bodyTypes = requestBody && { bodyTypes: bodyTypesOf(requestBody) };
      const operation = { operationId, deprecated, ...bodyTypes };
      app.route({
        method: method.toUpperCase(),
        url,
        onRequest: passing([about(operation), ...guards], send),
        handler: answering(handlers[operationId as OperationId<D>], send),
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
        onRequest: passing([...guards, notFound], send),
        handler: () => {},
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
