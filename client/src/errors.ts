import type { ErrorCode } from './types.generated.ts';

export interface ErrorDetails {
  /** The error code of the response, or `connection_failed`, `timed_out`, `invalid_answer` if there is none. */
  readonly code: ErrorCode;
  /** The HTTP status; undefined if there was no response. */
  readonly status?: number | undefined;
  /** Identifies the request in the service's log. */
  readonly requestId?: string | undefined;
  /** Seconds to wait before a retry, if the service sent `Retry-After`. */
  readonly retryAfter?: number | undefined;
  /** Whether the outcome is unknown: the change may have been made. */
  readonly mayBeDone?: boolean;
  /** The error that the runtime threw. */
  readonly cause?: unknown;
}

/** Base class of all errors that client methods throw. Never contains the API key. */
export class PetStoreError extends Error {
  override name = 'PetStoreError';
  /** New codes may be added: handle unknown ones by their status. */
  readonly code: ErrorCode;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  /** Whether the outcome is unknown: the change may have been made although its response was lost. */
  mayBeDone: boolean;
  /** The idempotency key of a placement: placing again with it does not create a second order. */
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

/** 400, 405, 413, 415, 422 and other 4xx: the request is invalid. */
export class InvalidRequestError extends PetStoreError {
  override name = 'InvalidRequestError';
}
/** 401: the key is missing, wrong, expired or revoked. */
export class AuthenticationError extends PetStoreError {
  override name = 'AuthenticationError';
}
/** 403: the key lacks permission. */
export class ForbiddenError extends PetStoreError {
  override name = 'ForbiddenError';
}
/** 404 and 410: not found, or no longer available. */
export class NotFoundError extends PetStoreError {
  override name = 'NotFoundError';
}
/** 304: nothing changed since the response whose `etag` was sent as `if-none-match`. */
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
/** 500 and above: the service failed. */
export class ServerError extends PetStoreError {
  override name = 'ServerError';
}
/** 503: the service is temporarily unavailable. */
export class UnavailableError extends ServerError {
  override name = 'UnavailableError';
}
/** No response, or an unreadable one. */
export class ConnectionError extends PetStoreError {
  override name = 'ConnectionError';
  /** Retrying cannot help: the certificate is not trusted, or the runtime's own timeout is shorter. */
  readonly isFinal: boolean;

  constructor(message: string, details: ErrorDetails & { readonly isFinal?: boolean }) {
    super(message, details);
    this.isFinal = details.isFinal ?? false;
  }
}
/** No response within the timeout. */
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

/** For a DELETE: ignores this error (404 or 401) after a lost response, because the first attempt succeeded. */
export async function ignoreIfAlreadyDone(kind: typeof PetStoreError, call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof kind && error.mayBeDone)) throw error;
  }
}
