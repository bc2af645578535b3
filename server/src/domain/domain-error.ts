/** Mapped to HTTP errors in `http/errors.ts`. */
export type DomainErrorCode =
  | 'not_found'
  | 'order_already_shipped'
  | 'order_already_cancelled'
  | 'invalid_transition'
  | 'unknown_pet'
  | 'insufficient_stock'
  | 'idempotency_key_reused'
  | 'webhook_limit_reached'
  | 'delivery_limit_reached'
  | 'key_revoked'
  | 'unavailable'
  | 'key_limit_reached'
  | 'pet_limit_reached'
  | 'order_limit_reached'
  | 'store_limit_reached';

/** The change violates a rule. Nothing was changed. */
export class DomainError extends Error {
  override name = 'DomainError';
  readonly code: DomainErrorCode;
  /** `stack` is that of the verb, if the error comes from the writer thread. */
  constructor(code: DomainErrorCode, stack?: string) {
    super(code);
    this.code = code;
    if (stack !== undefined) this.stack = stack;
  }
}

/** A catch handler for changes that may be rejected, for example because the store has been closed. */
export function ignoreDomainErrors(error: unknown): undefined {
  if (!(error instanceof DomainError)) throw error;
}

export function replaceDomainError(replacement: Error): (error: unknown) => never {
  return (error) => {
    throw error instanceof DomainError ? replacement : error;
  };
}
