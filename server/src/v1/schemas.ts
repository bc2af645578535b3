import type { ErrorCode } from '../http/errors.ts';
import { described, int64Schema, utcDateTime } from '../http/openapi/openapi.ts';
import { errorResponses } from '../http/openapi/responses.ts';
import { errorProperties } from '../http/openapi/schemas.ts';

export const { errorResponse, commonResponses } = errorResponses('Error');

export const orderExample = {
  id: 2,
  petId: 11,
  quantity: 5,
  shipDate: '2026-12-07T10:00:00.000Z',
  complete: false,
};
export const petExample = { id: 1, name: 'Rex', category: 'dog', status: 'available' };

const codes: readonly ErrorCode[] = [
  'bad_request',
  'missing_api_key',
  'invalid_api_key',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'order_already_shipped',
  'gone',
  'uri_too_long',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'not_implemented',
  'unavailable',
];

const textUpTo = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });

export const schemas = {
  Order: {
    type: 'object',
    description: 'All five fields are always present.',
    additionalProperties: false,
    properties: {
      id: described(int64Schema, 'Unique order id.', orderExample.id),
      petId: described(int64Schema, 'Id of the ordered pet.', orderExample.petId),
      quantity: described({ type: 'integer', minimum: 1 }, 'Number of units ordered.', orderExample.quantity),
      shipDate: described(
        utcDateTime,
        'The expected ship date; once the order has shipped, the actual one. UTC.',
        orderExample.shipDate,
      ),
      complete: described(
        { type: 'boolean' },
        'Whether the order has been fulfilled.',
        orderExample.complete,
      ),
    },
  },
  Pet: {
    type: 'object',
    required: ['id', 'name', 'category', 'status'],
    additionalProperties: false,
    properties: {
      id: described(int64Schema, 'Unique pet id.', petExample.id),
      name: described(textUpTo(100), 'Name of the pet.', petExample.name),
      category: described(textUpTo(50), 'Kind of animal, such as `dog`.', petExample.category),
      status: described(
        { type: 'string', enum: ['available', 'sold'] },
        '`sold` when none are left.',
        petExample.status,
      ),
    },
  },
  Error: {
    type: 'object',
    description: 'The body of every error response.',
    required: ['code', 'message', 'status'],
    additionalProperties: false,
    properties: errorProperties({
      ...textUpTo(64),
      description: 'Machine-readable error code.',
      examples: codes,
    }),
  },
};
