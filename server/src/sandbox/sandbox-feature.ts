import type { Method } from '../http/openapi/openapi.ts';
import type { Operation } from '../http/openapi/operation.ts';
import type { Handler } from '../http/server/answer.ts';
import { type SandboxOperation, sandboxPaths } from './sandbox-operations.ts';
import { sandboxSchemas } from './sandbox-schemas.ts';

interface Services {
  readonly sandbox: { readonly handlers: Readonly<Record<SandboxOperation, Handler>> };
}

/** What version 2 has about the sandbox. */
export const sandboxFeature = {
  operations: Object.entries(sandboxPaths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, document]): Operation<Services> => ({
        operationId: document.operationId,
        method: method as Method,
        path,
        bodyTypes: 'requestBody' in document ? ['application/json'] : undefined,
        document,
        open: ({ sandbox }) => sandbox.handlers[document.operationId as SandboxOperation],
      }),
    ),
  ),
  schemas: sandboxSchemas,
};
