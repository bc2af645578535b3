import type { Handler } from '../server/answer.ts';
import type { Guard } from '../server/guard.ts';
import type { OperationInfo } from '../server/request.ts';
import { readBody } from '../server/request-body.ts';
import type { Routes, Steps } from '../server/routes.ts';
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

/** Serves every operation of the document by the handler of its name: what is not documented is not there. */
export function serveVersion<D extends OpenApiDocument>(
  routes: Routes,
  prefix: string,
  { document, handlers, guards }: Version<D>,
): void {
  for (const [path, item] of Object.entries<PathItem>(document.paths)) {
    const operations = Object.entries(item) as Array<[Method, Operation]>;
    const methods = operations.map(([method, { operationId, deprecated = false, requestBody }]) => {
      const reading = requestBody ? [readBody(...bodyTypesOf(requestBody))] : [];
      const handler = handlers[operationId as OperationId<D>];
      const steps: Steps = [
        about({ operationId, fullName: `${prefix.slice(1)}.${operationId}`, deprecated }),
        ...guards,
        ...reading,
        handler,
      ];
      return [method.toUpperCase(), steps];
    });
    const url = prefix + path.replace(/\{(\w+)\}/g, ':$1');
    routes.serve(url, Object.fromEntries(methods), guards);
  }
  routes.refuseOthers(prefix, guards);
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
