import type { ErrorCode } from './types.generated.ts';

export interface ErrorDetails {
  /** The code of the answer, or `connection_failed`, `timed_out`, `invalid_answer` where there is none. */
  readonly code: ErrorCode;
  /** The HTTP status; undefined where no answer came. */
  readonly status?: number | undefined;
  /** Identifies the request in the log of the service. */
  readonly requestId?: string | undefined;
  /** Seconds to wait before another try, where the service says so. */
  readonly retryAfter?: number | undefined;
  readonly mayBeDone?: boolean;
  /** What the runtime threw. */
  readonly cause?: unknown;
}

/** Whatever goes wrong with a call. Never holds the API key. */
export class PetStoreError extends Error {
  override name = 'PetStoreError';
  /** An open list: take a code that you do not know for what its status says. */
  readonly code: ErrorCode;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  /** Whether a try of the call may have been carried out without its answer reaching us. */
  mayBeDone: boolean;
  /** The key that a placement went with: placing again with it makes no second order. */
  idempotencyKey: string | undefined;

  constructor(message: string, details: ErrorDetails) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = details.code;
    this.status = details.status;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
    this.mayBeDone = details.mayBeDone ?? false;
  }
}

/** The request is not one that the service understands or can carry out: 400, 405, 413, 415, 422 and the like. */
export class InvalidRequestError extends PetStoreError {
  override name = 'InvalidRequestError';
}
/** 401: the key is missing, wrong, expired or revoked. */
export class AuthenticationError extends PetStoreError {
  override name = 'AuthenticationError';
}
/** 403: the key may not do this. */
export class ForbiddenError extends PetStoreError {
  override name = 'ForbiddenError';
}
/** 404 and 410: there is no such thing, or not any more. */
export class NotFoundError extends PetStoreError {
  override name = 'NotFoundError';
}
/** 304: nothing changed since the answer whose `etag` was sent as `if-none-match`. */
export class NotModifiedError extends PetStoreError {
  override name = 'NotModifiedError';
}
/** 409: the state of the store does not allow it. */
export class ConflictError extends PetStoreError {
  override name = 'ConflictError';
}
/** 429: too many requests. */
export class RateLimitedError extends PetStoreError {
  override name = 'RateLimitedError';
}
/** 500 and above: something is wrong on the other side. */
export class ServerError extends PetStoreError {
  override name = 'ServerError';
}
/** 503: the service cannot answer right now. */
export class UnavailableError extends ServerError {
  override name = 'UnavailableError';
}
/** No answer, or none that can be read. */
export class ConnectionError extends PetStoreError {
  override name = 'ConnectionError';
  /** Another try would end the same way: the certificate is not trusted, or the runtime waits no longer. */
  readonly isFinal: boolean;

  constructor(message: string, details: ErrorDetails & { readonly isFinal?: boolean }) {
    super(message, details);
    this.isFinal = details.isFinal ?? false;
  }
}
/** No answer in the time that was given. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

const byStatus: { readonly [status: number]: typeof PetStoreError } = {
  304: NotModifiedError,
  401: AuthenticationError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  429: RateLimitedError,
  503: UnavailableError,
};

export function errorOf(message: string, details: ErrorDetails & { readonly status: number }): PetStoreError {
  const { status } = details;
  const family = byStatus[status] ?? (status < 500 ? InvalidRequestError : ServerError);
  return new family(message, details);
}

/** Waits for a DELETE: this kind of refusal (404 or 401) after a lost answer means that the first try did it. */
export async function unlessAlreadyDone(kind: typeof PetStoreError, call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof kind && error.mayBeDone)) throw error;
  }
}
