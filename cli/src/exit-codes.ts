import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  type PetStoreError,
  RateLimitedError,
  ServerError,
} from '../../client/src/index.ts';
import { NotFound, UsageError } from '../../server/src/config/usage-error.ts';
import { plain } from './output.ts';

/** Exit code by error class; the first match applies. Documented in the help. */
const codes: ReadonlyArray<readonly [kind: abstract new (...args: never) => Error, code: number]> = [
  [ConnectionError, 3],
  [RateLimitedError, 3],
  [ServerError, 3],
  [AuthenticationError, 4],
  [ForbiddenError, 4],
  [NotFoundError, 5],
  [ConflictError, 6],
  [InvalidRequestError, 7],
];

export function exitCodeOf(error: unknown): number {
  return codes.find(([kind]) => error instanceof kind)?.[1] ?? 1;
}

/** A service or connection error in one line. */
export function explainResponse(error: PetStoreError): string {
  const { status, code, requestId, message, mayBeDone, idempotencyKey } = error;
  const id = requestId === undefined ? '' : `; request ${requestId}`;
  const details = status === undefined ? '' : ` (${status} ${code}${id})`;
  const retryHint =
    idempotencyKey === undefined
      ? ''
      : ` To retry without placing a second order, pass --idempotency-key ${idempotencyKey}.`;
  if (mayBeDone) return plain(`${message}${details} The change may have been applied.${retryHint}`);
  const isUnreachable = code === 'connection_failed' && !(error as ConnectionError).isFinal;
  const hint = isUnreachable ? ' Is the service running? Start one with petstore serve.' : '';
  return plain(`${message}${details}${hint}`);
}

/** The error as JSON: code, status and request id of the response, if there was one, and the exit code. */
export function asJson(error: unknown, message: string, exitCode: number): string {
  const { code, status, requestId, mayBeDone, idempotencyKey } = error as Partial<PetStoreError>;
  const ownCode = error instanceof UsageError ? 'usage' : error instanceof NotFound ? 'not_found' : undefined;
  const unsure = mayBeDone ? { mayBeDone, idempotencyKey } : {};
  const anyCode = ownCode ?? code ?? 'failed';
  return JSON.stringify({ code: anyCode, message, status, requestId, ...unsure, exitCode });
}
