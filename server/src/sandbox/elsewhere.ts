import { ApiError } from '../http/errors.ts';
import type { Handler } from '../http/server/answer.ts';
import type { Guard } from '../http/server/guard.ts';
import { type SandboxOperation, sandboxOperations } from './sandbox-operations.ts';

const refuse = (): never => {
  throw new ApiError('not_found', 'The sandbox is only on staging: use its address and a key of staging.');
};

/** Where there is no sandbox: its operations are not found, whatever they are sent. */
export const sandboxElsewhere = {
  guard: (({ operation: { operationId } }) =>
    (sandboxOperations as readonly unknown[]).includes(operationId) ? refuse() : undefined) satisfies Guard,
  handlers: {
    resetSandbox: refuse,
    listFaults: refuse,
    armFaults: refuse,
    disarmFaults: refuse,
  } satisfies Record<SandboxOperation, Handler>,
};
