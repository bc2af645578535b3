import type { Guard, Request } from '../server/request.ts';
import type { Routes } from '../server/routes.ts';
import type { Operation } from './operation.ts';

export function serveVersion<Deps>(
  routes: Routes,
  prefix: string,
  operations: ReadonlyArray<Operation<Deps>>,
  services: Deps,
  guards: readonly Guard[],
  adviceFor: (method: string, path: string) => string | undefined = () => undefined,
): void {
  for (const [path, group] of Map.groupBy(operations, (operation) => operation.path)) {
    const supportsQuery = group.some(({ method }) => method === 'query');
    const pathGuards = supportsQuery ? [announceQuery, ...guards] : guards;
    const methods = group.map(({ operationId, deprecated, method, createBodyGuards, handle }) => {
      const operation = { operationId, fullName: `${prefix.slice(1)}.${operationId}`, deprecated };
      const handler: Guard = (request) => handle(request, services);
      const steps = [setOperation(operation), ...pathGuards, ...(createBodyGuards?.() ?? []), handler];
      return [method.toUpperCase(), steps];
    });
    const url = prefix + path.replace(/\{(\w+)\}/g, ':$1');
    routes.serve(url, Object.fromEntries(methods), pathGuards, (method) => adviceFor(method, path));
  }
  routes.rejectOtherPaths(prefix, guards);
}

/** RFC 10008. */
const announceQuery: Guard = ({ responseHeaders }) =>
  void responseHeaders.push('accept-query', 'application/json');

export function setOperation(operation: Request['operation']): Guard {
  return (request) => {
    request.operation = operation;
  };
}
