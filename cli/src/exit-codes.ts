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
import { UnknownThing, UsageError } from '../../server/src/config/usage-error.ts';
import { plain } from './output.ts';

/** What the program ends with when a call fails; the first that fits. The help explains them. */
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

/** What the service, or the way to it, has to say, in one line. */
export function explainAnswer(error: PetStoreError): string {
  const { status, code, requestId, message, mayBeDone, idempotencyKey } = error;
  const id = requestId === undefined ? '' : `; request ${requestId}`;
  const told = status === undefined ? '' : ` (${status} ${code}${id})`;
  const again =
    idempotencyKey === undefined
      ? ''
      : ` Placing again with --idempotency-key ${idempotencyKey} makes no second order.`;
  if (mayBeDone) return plain(`${message}${told} It may have been done all the same.${again}`);
  const isNotThere = code === 'connection_failed' && !(error as ConnectionError).isFinal;
  const hint = isNotThere ? ' Is it running? petstore serve starts one here.' : '';
  return plain(`${message}${told}${hint}`);
}

/** For programs: the service's own code, status and id where it answered, and what this program ends with. */
export function asJson(error: unknown, message: string, exitCode: number): string {
  const { code, status, requestId, mayBeDone, idempotencyKey } = error as Partial<PetStoreError>;
  const own = error instanceof UsageError ? 'usage' : error instanceof UnknownThing ? 'not_found' : undefined;
  const unsure = mayBeDone ? { mayBeDone, idempotencyKey } : {};
  return JSON.stringify({ code: own ?? code ?? 'failed', message, status, requestId, ...unsure, exitCode });
}
