import type { Logger } from 'pino';
import { Unavailable } from '../database/engine.ts';
import { DomainError, replaceDomainError } from '../domain/domain-error.ts';
import { passwordLimits } from '../domain/password-limits.ts';

const { shortest, longest } = passwordLimits;

export const errorCodes = {
  bad_request: [400, 'The request is not valid HTTP.'],
  invalid_parameter: [400, 'A parameter is unknown or malformed.'],
  invalid_cursor: [400, 'The cursor is not one of ours, or was made for other filters or another sort.'],
  invalid_body: [400, 'The request body is not valid.'],
  invalid_preference: [400, 'A preference is unknown, or cannot be applied to this request.'],
  weak_password: [400, `Choose a password of ${shortest} to ${longest} characters that is not a common one.`],
  same_password: [400, 'This is the password that you have: choose another.'],
  missing_api_key: [
    401,
    'Send an API key as a bearer token: Authorization: Bearer <API_KEY>. Sign up in the console and copy one from there.',
  ],
  invalid_api_key: [401, 'The API key is not valid for this deployment, has expired or was revoked.'],
  not_signed_in: [401, 'Sign in first.'],
  invalid_credentials: [401, 'The e-mail address or the password is not right.'],
  forbidden: [403, 'This key may only read.'],
  forbidden_origin: [403, 'This can only be asked from the console itself.'],
  not_found: [404, 'The requested resource could not be found.'],
  method_not_allowed: [405, 'This resource does not support that method; see the Allow header.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  order_already_shipped: [409, 'The order has already shipped and can no longer be cancelled.'],
  order_already_cancelled: [409, 'The order is already cancelled.'],
  invalid_transition: [409, 'The order is not in a state that allows this.'],
  insufficient_stock: [409, 'There are not enough units of this pet left.'],
  pet_limit_reached: [409, 'The store has as many pets as it may have.'],
  order_limit_reached: [409, 'The store has as many orders as it may have.'],
  store_limit_reached: [
    409,
    'As many stores are open beside this one as may be; end one, or wait for one to end.',
  ],
  too_much_data: [409, 'The store has more pets or orders than can be shown as data.'],
  key_revoked: [409, 'The key was revoked or has expired; create a new one instead.'],
  idempotency_key_in_use: [409, 'A request with this Idempotency-Key is still under way. Try again shortly.'],
  webhook_limit_reached: [409, 'The store has as many webhooks as it may have; delete one first.'],
  delivery_limit_reached: [
    409,
    'The webhook has as many unfinished deliveries as it may have. Redeliver one of them, or wait until some are finished.',
  ],
  key_limit_reached: [409, 'The store has as many working keys as it may have; revoke one first.'],
  events_expired: [410, 'Events that are no longer kept were asked for; begin with after=0.'],
  gone: [410, 'This operation was withdrawn on its sunset date.'],
  payload_too_large: [413, 'The request body is too large.'],
  uri_too_long: [414, 'The request target is too long.'],
  unsupported_media_type: [415, 'Send the body as application/json.'],
  unknown_pet: [422, 'There is no such pet in this store.'],
  invalid_data: [422, 'The data cannot be that of a store.'],
  invalid_webhook_url: [422, 'Nothing can be sent to this address.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used before, for another request body.'],
  rate_limited: [429, 'This store has used up its requests for now; see Retry-After.'],
  headers_too_large: [431, 'The request headers are too large.'],
  internal_error: [500, 'Something went wrong on our side. Quote the X-Request-Id when you report it.'],
  not_implemented: [501, 'The method of the request is not one that is known here.'],
  unavailable: [503, 'The service cannot answer right now. Try again shortly.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;
export type ErrorCode = keyof typeof errorCodes;

/** Codes that no answer of version 2 carries: those of the console, and of what version 1 withdraws. */
const notOfV2: readonly ErrorCode[] = [
  'weak_password',
  'same_password',
  'not_signed_in',
  'invalid_credentials',
  'forbidden_origin',
  'key_revoked',
  'key_limit_reached',
  'gone',
];
export const v2Codes = (Object.keys(errorCodes) as ErrorCode[]).filter((code) => !notOfV2.includes(code));

export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly headers: readonly string[];
  constructor(code: ErrorCode, message: string = errorCodes[code][1], headers: readonly string[] = []) {
    super(message);
    this.code = code;
    this.headers = headers;
  }
}

export function found<T>([row]: readonly T[]): T {
  if (row === undefined) throw new ApiError('not_found');
  return row;
}

export const toApiError = (code: ErrorCode) => replaceDomainError(new ApiError(code));

export function errorBody(code: ErrorCode, message: string = errorCodes[code][1]) {
  return { code, message, status: errorCodes[code][0] };
}

/** What a client is told of an error. What is not refused on purpose is a mistake of ours, and in the log. */
export function describeAndLog(error: unknown, { id }: { id: string }, log: Logger) {
  if (error instanceof ApiError) return errorBody(error.code, error.message);
  if (error instanceof DomainError) return errorBody(error.code);
  const body = errorBody(error instanceof Unavailable ? 'unavailable' : 'internal_error');
  log.error({ id, err: error }, body.code);
  return body;
}
