import type { ErrorCode } from '../http/errors.ts';
import { errorProperties } from '../http/openapi/answers.ts';
import { int64Schema, utcDateTime } from '../http/openapi/openapi.ts';

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

export const schemas = {
  Order: {
    type: 'object',
    description: 'All five fields are always there.',
    additionalProperties: false,
    properties: {
      id: { ...int64Schema, description: 'Unique order identifier.', examples: [orderExample.id] },
      petId: {
        ...int64Schema,
        description: 'Identifier of the animal in this order.',
        examples: [orderExample.petId],
      },
      quantity: {
        type: 'integer',
        minimum: 1,
        description: 'Number of units ordered.',
        examples: [orderExample.quantity],
      },
      shipDate: {
        ...utcDateTime,
        description: 'The expected ship date; from shipping on, the actual one. UTC.',
        examples: [orderExample.shipDate],
      },
      complete: {
        type: 'boolean',
        description: 'Whether the order has been fulfilled.',
        // A list of examples makes this a map without fields in Java.
        example: orderExample.complete,
      },
    },
  },
  Pet: {
    type: 'object',
    required: ['id', 'name', 'category', 'status'],
    additionalProperties: false,
    properties: {
      id: { ...int64Schema, description: 'Unique pet identifier.', examples: [petExample.id] },
      name: {
        type: 'string',
        minLength: 1,
        maxLength: 100,
        description: 'What the pet is called.',
        examples: [petExample.name],
      },
      category: {
        type: 'string',
        minLength: 1,
        maxLength: 50,
        description: 'What kind of animal it is, such as `dog`.',
        examples: [petExample.category],
      },
      status: {
        type: 'string',
        enum: ['available', 'sold'],
        description: '`sold` when none is left.',
        examples: [petExample.status],
      },
    },
  },
  Error: {
    type: 'object',
    description: 'The body of every answer that is not a success.',
    required: ['code', 'message', 'status'],
    additionalProperties: false,
    properties: errorProperties({
      type: 'string',
      minLength: 1,
      maxLength: 64,
      description: 'Machine-readable error code.',
      examples: codes,
    }),
  },
};
