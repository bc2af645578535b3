import { orderSorts } from '../../orders/order-pages.ts';
import { orderStatuses } from '../../orders/states.ts';
import type { ErrorCode } from '../errors.ts';
import { errorProperties } from '../openapi/answers.ts';
import { int64, schemaRef, utcDateTime } from '../openapi/openapi.ts';
import {
  documentSchema,
  MAX_CATEGORY,
  MAX_NAME,
  MAX_QUANTITY,
  OrderInput,
  PetInput,
  PetPatch,
} from './bodies.ts';
import { CURSOR_SCHEMA } from './cursor.ts';
import { answered, enumeration } from './document-parts.ts';
import { createdPet, cursorExample, placedOrder } from './examples.ts';
import { MAX_LIMIT, petStatuses } from './order-parameters.ts';
import { sandboxSchemas } from './sandbox-schemas.ts';

/** Every code that an answer of v2 can carry. */
const codes: readonly ErrorCode[] = [
  'bad_request',
  'invalid_parameter',
  'invalid_cursor',
  'invalid_body',
  'invalid_preference',
  'missing_api_key',
  'invalid_api_key',
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'order_already_shipped',
  'order_already_cancelled',
  'invalid_transition',
  'insufficient_stock',
  'idempotency_key_in_use',
  'payload_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'unknown_pet',
  'idempotency_key_reused',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
];

function page(description: string, rows: string) {
  return answered(description, {
    data: {
      type: 'array',
      items: schemaRef(rows),
      maxItems: MAX_LIMIT,
      description: 'What is on this page, in the order asked for.',
    },
    nextCursor: {
      ...CURSOR_SCHEMA,
      type: ['string', 'null'],
      description: 'Pass it as `cursor` for the next page; null on the last.',
      examples: [cursorExample],
    },
  });
}

/** The schemas of version 2: answers are open for fields to come, requests are closed. */
export const schemas = {
  Order: answered('An order.', {
    id: { ...int64, description: 'Unique order identifier.', examples: [placedOrder.id] },
    petId: {
      ...int64,
      description: 'Identifier of the animal in this order.',
      examples: [placedOrder.petId],
    },
    quantity: {
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: Number(MAX_QUANTITY),
      description: 'Number of units ordered.',
      examples: [placedOrder.quantity],
    },
    shipDate: {
      ...utcDateTime,
      description: 'The expected ship date; from shipping on, the actual one. UTC.',
      examples: [placedOrder.shipDate],
    },
    complete: {
      type: 'boolean',
      description: 'Whether the order has been delivered.',
      examples: [placedOrder.complete],
    },
    status: schemaRef('OrderStatus'),
    placedAt: { ...utcDateTime, description: 'When it was placed. UTC.', examples: [placedOrder.placedAt] },
    updatedAt: {
      ...utcDateTime,
      description: 'When it last changed its state. UTC.',
      examples: [placedOrder.updatedAt],
    },
  }),
  OrderStatus: enumeration(
    'The state that an order is in.',
    orderStatuses,
    orderStatuses.map((status) => status.toUpperCase()),
  ),
  OrderSort: enumeration(
    'What orders are sorted by; `-` for descending.',
    orderSorts,
    ['ID_ASCENDING', 'ID_DESCENDING', 'SHIP_DATE_ASCENDING', 'SHIP_DATE_DESCENDING'],
    { default: 'id' },
  ),
  OrderPage: page('One page of orders.', 'Order'),
  OrderHistory: answered('Every state that an order was in.', {
    data: {
      type: 'array',
      items: schemaRef('OrderHistoryEntry'),
      minItems: 1,
      maxItems: orderStatuses.length,
      description: 'Oldest first.',
    },
  }),
  OrderHistoryEntry: answered('One state that an order was in.', {
    status: schemaRef('OrderStatus'),
    at: { ...utcDateTime, description: 'When it entered that state. UTC.', examples: [placedOrder.placedAt] },
  }),
  Pet: answered('A pet.', {
    id: { ...int64, description: 'Unique pet identifier.', examples: [createdPet.id] },
    name: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_NAME,
      description: 'What the pet is called.',
      examples: [createdPet.name],
    },
    category: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_CATEGORY,
      description: 'What kind of animal it is, such as `dog`.',
      examples: [createdPet.category],
    },
    status: schemaRef('PetStatus'),
    stock: {
      ...int64,
      minimum: 0,
      description: 'Units that can be ordered.',
      examples: [createdPet.stock],
    },
  }),
  PetStatus: enumeration(
    '`sold` when none is left.',
    petStatuses,
    petStatuses.map((status) => status.toUpperCase()),
  ),
  PetPage: page('One page of pets.', 'Pet'),
  OrderInput: documentSchema(OrderInput),
  PetInput: documentSchema(PetInput),
  PetPatch: documentSchema(PetPatch),
  ...sandboxSchemas,
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
