import type { Logger } from 'pino';
import { Unavailable } from '../database/engine.ts';
import { DomainError, replaceDomainError } from '../domain/domain-error.ts';
import { passwordLimits } from '../domain/password-limits.ts';

const { shortest, longest } = passwordLimits;

export const errorCodes = {
  bad_request: [400, 'The request is not valid HTTP.'],
  invalid_parameter: [400, 'A parameter is unknown or malformed.'],
  invalid_cursor: [400, 'The cursor is invalid, or was issued for other filters or another sort order.'],
  invalid_body: [400, 'The request body is not valid.'],
  invalid_preference: [400, 'A preference is unknown or does not apply to this request.'],
  weak_password: [400, `Choose a password of ${shortest} to ${longest} characters that is not a common one.`],
  same_password: [400, 'This is already your password. Choose a different one.'],
  missing_api_key: [
    401,
    'Send an API key as a bearer token: Authorization: Bearer <API_KEY>. Sign up in the console to get one.',
  ],
  invalid_api_key: [401, 'The API key is not valid for this deployment, has expired or has been revoked.'],
  not_signed_in: [401, 'Sign in first.'],
  invalid_credentials: [401, 'The email address or password is incorrect.'],
  forbidden: [403, 'This API key is read-only.'],
  forbidden_origin: [403, 'Only the console can send this request.'],
  not_found: [404, 'The requested resource could not be found.'],
  method_not_allowed: [405, 'This resource does not support this method; see the Allow header.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  order_already_shipped: [409, 'The order has already shipped and can no longer be cancelled.'],
  order_already_cancelled: [409, 'The order is already cancelled.'],
  invalid_transition: [409, 'The status of the order does not allow this.'],
  insufficient_stock: [409, 'Not enough units of this pet are in stock.'],
  pet_limit_reached: [409, 'The store has reached its limit of pets.'],
  order_limit_reached: [409, 'The store has reached its limit of orders.'],
  store_limit_reached: [409, 'Temporary-store limit reached. Delete one, or wait until one expires.'],
  too_much_data: [409, 'The store has too many pets or orders to export.'],
  key_revoked: [409, 'The key is revoked or expired. Create a new one instead.'],
  idempotency_key_in_use: [
    409,
    'A request with this Idempotency-Key is still in progress. Try again shortly.',
  ],
  webhook_limit_reached: [409, 'The store has reached its limit of webhooks. Delete one first.'],
  delivery_limit_reached: [
    409,
    'The webhook has reached its limit of unfinished deliveries. Redeliver one of them, or wait until some finish.',
  ],
  key_limit_reached: [409, 'The store has reached its limit of active keys. Revoke one first.'],
  events_expired: [410, 'The requested events have expired. Start again with after=0.'],
  gone: [410, 'This operation was removed on its sunset date.'],
  payload_too_large: [413, 'The request body is too large.'],
  uri_too_long: [414, 'The request target is too long.'],
  unsupported_media_type: [415, 'Send the body as application/json.'],
  unknown_pet: [422, 'The store has no pet with this id.'],
  invalid_data: [422, 'Inconsistent data.'],
  invalid_webhook_url: [422, 'Webhooks cannot be sent to this URL.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was already used for a different order.'],
  rate_limited: [429, 'Rate limit of the store exceeded; see the Retry-After header.'],
  headers_too_large: [431, 'The request headers are too large.'],
  internal_error: [500, 'An internal error occurred. Include the X-Request-Id when you report it.'],
  not_implemented: [501, 'The request method is not supported.'],
  unavailable: [503, 'The service is temporarily unavailable. Try again shortly.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;
export type ErrorCode = keyof typeof errorCodes;

/** Codes of the console and of v1's deprecated operation. */
const notInV2: readonly ErrorCode[] = [
  'weak_password',
  'same_password',
  'not_signed_in',
  'invalid_credentials',
  'forbidden_origin',
  'key_revoked',
  'key_limit_reached',
  'gone',
];
export const v2Codes = (Object.keys(errorCodes) as ErrorCode[]).filter((code) => !notInV2.includes(code));

export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly headers: readonly string[];
  /** JSON pointer of the field of the request body that caused it. */
  readonly pointer: string | undefined;
  constructor(
    code: ErrorCode,
    message: string = errorCodes[code][1],
    headers: readonly string[] = [],
    pointer?: string,
  ) {
    super(message);
    this.code = code;
    this.headers = headers;
    this.pointer = pointer;
  }
}

export function firstOrNotFound<T>([row]: readonly T[]): T {
  if (row === undefined) throw new ApiError('not_found');
  return row;
}

/** For `catch`: replaces any domain error with this API error. */
export const toApiError = (code: ErrorCode) => replaceDomainError(new ApiError(code));

export function errorBody(code: ErrorCode, message: string = errorCodes[code][1]) {
  return { code, message, status: errorCodes[code][0] };
}

/** The response body for an error. Unexpected errors are logged, and reveal nothing to the client. */
export function describeAndLog(error: unknown, { id }: { id: string }, log: Logger) {
  if (error instanceof ApiError) {
    const { code, message, pointer } = error;
    return { ...errorBody(code, message), ...(pointer !== undefined && { pointer }) };
  }
  if (error instanceof DomainError) return errorBody(error.code);
  const body = errorBody(error instanceof Unavailable ? 'unavailable' : 'internal_error');
  log.error({ id, err: error }, body.code);
  return body;
}
