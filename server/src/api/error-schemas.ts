import type { ErrorCode } from '../http/errors.ts';
import { errorProperties } from '../http/openapi/answers.ts';
import { answered } from '../http/openapi/document-parts.ts';
import { schemaRef } from '../http/openapi/openapi.ts';

/** Every code that an answer of v2 can carry. */
const codes: readonly ErrorCode[] = [
  'bad_request',
  'invalid_parameter',
  'invalid_cursor',
  'invalid_body',
  'invalid_preference',
  'missing_api_key',
  'invalid_api_key',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'order_already_shipped',
  'order_already_cancelled',
  'invalid_transition',
  'insufficient_stock',
  'pet_limit_reached',
  'order_limit_reached',
  'store_limit_reached',
  'too_much_data',
  'idempotency_key_in_use',
  'webhook_limit_reached',
  'events_expired',
  'payload_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'unknown_pet',
  'invalid_data',
  'invalid_webhook_url',
  'idempotency_key_reused',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'not_implemented',
  'unavailable',
];

export const errorSchemas = {
  ErrorBody: answered(
    'The body of every answer that is not a success.',
    errorProperties(schemaRef('ErrorCode')),
  ),
  ErrorCode: {
    type: 'string',
    minLength: 1,
    maxLength: 64,
    pattern: '^[a-z][a-z_]*$',
    description:
      'Machine-readable error code. An open list: take a code that you do not know for what its status says.',
    examples: codes,
    'x-extensible-enum': codes,
  },
};
