import type { Guard, Request } from '../server/request.ts';
import type { Routes } from '../server/routes.ts';
import type { Operation } from './operation.ts';

export function serveVersion<Needed>(
  routes: Routes,
  prefix: string,
  operations: ReadonlyArray<Operation<Needed>>,
  services: Needed,
  guards: readonly Guard[],
  hintFor: (method: string, path: string) => string | undefined = () => undefined,
): void {
  for (const [path, ofPath] of Map.groupBy(operations, (one) => one.path)) {
    const methods = ofPath.map(({ operationId, deprecated, method, bodyReader, handle }) => {
      const operation = { operationId, fullName: `${prefix.slice(1)}.${operationId}`, deprecated };
      const response: Guard = (request) => handle(request, services);
      return [method.toUpperCase(), [named(operation), ...guards, ...(bodyReader?.() ?? []), response]];
    });
    const url = prefix + path.replace(/\{(\w+)\}/g, ':$1');
    routes.serve(url, Object.fromEntries(methods), guards, (method) => hintFor(method, path));
  }
  routes.rejectOtherPaths(prefix, guards);
}

export function named(operation: Request['operation']): Guard {
  return (request) => {
    request.operation = operation;
  };
}
