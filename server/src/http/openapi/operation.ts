import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors.ts';
import { answering, type Handler, type Send } from '../server/answer.ts';
import { type Guard, passing } from '../server/guard.ts';
import { METHODS } from '../server/node-http.ts';
import type { OperationInfo } from '../server/request.ts';
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

/** Routes every operation of the document to the handler of its name: what is not documented is not there. */
export function serveOperations<D extends OpenApiDocument>(
  app: FastifyInstance,
  send: Send,
  { document, handlers, guards }: Version<D>,
): void {
  const known = knownMethods(app);
  const route = (method: string | string[], url: string, operation: OperationInfo, handler: Handler) =>
    app.route({
      method,
      url,
      onRequest: passing([about(operation), ...guards], send),
      handler: answering(handler, send),
    });
  // Thrown by a guard, a refusal comes before the body is looked at.
  const refuse = (method: string[], url: string, guard: Guard) =>
    app.route({ method, url, onRequest: passing([...guards, guard], send), handler: () => {} });

  for (const [path, item] of Object.entries<PathItem>(document.paths)) {
    const url = path.replace(/\{(\w+)\}/g, ':$1');
    const operations = Object.entries(item) as Array<[Method, Operation]>;
    for (const [method, { operationId, deprecated = false, requestBody }] of operations) {
      const bodyTypes = requestBody && { bodyTypes: bodyTypesOf(requestBody) };
      const handler = handlers[operationId as OperationId<D>];
      route(method.toUpperCase(), url, { operationId, deprecated, ...bodyTypes }, handler);
    }
    // `/pets/` is not a pet with an empty id, but a path that does not exist.
    if (/\/:\w+$/.test(url)) refuse(known, url.slice(0, url.indexOf(':')), notFound);
    const allowed = operations.flatMap(([method]) =>
      method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
    );
    refuse(
      known.filter((method) => !allowed.includes(method)),
      url,
      methodNotAllowed(allowed),
    );
  }
  for (const url of ['', '/*']) refuse(known, url, notFound);
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

export function methodNotAllowed(allowed: readonly string[]): Guard {
  return () => {
    throw new ApiError('method_not_allowed', undefined, ['allow', allowed.join(', ')]);
  };
}

/** Every method that Node can parse, save CONNECT, which is no request for a resource. */
export function knownMethods(app: FastifyInstance): string[] {
  const methods = METHODS.filter((method) => method !== 'CONNECT');
  for (const method of methods) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  return methods;
}
