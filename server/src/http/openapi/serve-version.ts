import type { Guard, Handler } from '../server/answer.ts';
import type { OperationInfo } from '../server/request.ts';
import type { Routes, Steps } from '../server/routes.ts';

export interface ServedOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly deprecated: boolean;
  readonly readBody?: Guard | undefined;
  readonly handler: Handler;
}

export function serveVersion(
  routes: Routes,
  prefix: string,
  operations: readonly ServedOperation[],
  guards: readonly Guard[],
  hintFor: (method: string, path: string) => string | undefined = () => undefined,
): void {
  for (const [path, ofPath] of Map.groupBy(operations, (one) => one.path)) {
    const methods = ofPath.map(({ operationId, deprecated, method, readBody, handler }) => {
      const operation = { operationId, fullName: `${prefix.slice(1)}.${operationId}`, deprecated };
      const steps: Steps = [named(operation), ...guards, ...(readBody ? [readBody] : []), handler];
      return [method.toUpperCase(), steps];
    });
    const url = prefix + path.replace(/\{(\w+)\}/g, ':$1');
    routes.serve(url, Object.fromEntries(methods), guards, (method) => hintFor(method, path));
  }
  routes.refuseOtherPaths(prefix, guards);
}

export function named(operation: OperationInfo): Guard {
  return (request) => {
    request.operation = operation;
  };
}
