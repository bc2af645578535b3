import { eventTypes } from '../../events/event-types.ts';
import { orderSorts } from '../../orders/order-pages.ts';
import { orderStatuses } from '../../orders/states.ts';
import { deliveryStatuses } from '../../webhooks/delivery.ts';
import type { ErrorCode } from '../errors.ts';
import { errorProperties } from '../openapi/answers.ts';
import { int64, schemaRef, utcDateTime } from '../openapi/openapi.ts';
import { bodySchemas, MAX_CATEGORY, MAX_NAME, MAX_QUANTITY } from './bodies.ts';
import { CURSOR_SCHEMA } from './cursor.ts';
import { answered, enumeration } from './document-parts.ts';
import {
  createdPet,
  cursorExample,
  delivery,
  inspectedRequest,
  newWebhook,
  placedOrder,
  shippedEvent,
  webhook,
} from './examples.ts';
import { MAX_LIMIT, petStatuses } from './list-parameters.ts';
import { sandboxSchemas } from './sandbox-schemas.ts';
import { summarySchemas } from './summary-schemas.ts';
import { webhookBodySchemas } from './webhook-bodies.ts';

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
  'idempotency_key_in_use',
  'webhook_limit_reached',
  'payload_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'unknown_pet',
  'invalid_webhook_url',
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

function optionalText(maxLength: number, description: string, example: string) {
  return { type: ['string', 'null'], maxLength, description, examples: [example] };
}

const webhookProperties = {
  id: {
    type: 'string',
    minLength: 1,
    maxLength: 64,
    description: 'Unique webhook identifier.',
    examples: [webhook.id],
  },
  url: { type: 'string', maxLength: 2000, description: 'Where events are sent.', examples: [webhook.url] },
  types: {
    type: 'array',
    items: schemaRef('EventType'),
    maxItems: 100,
    description: 'Which events are sent.',
    examples: [webhook.types],
  },
  active: { type: 'boolean', description: 'Whether anything is sent.', example: true },
  createdAt: { ...utcDateTime, description: 'When it was added. UTC.', examples: [webhook.createdAt] },
};

const EVENT_ID = {
  type: 'string',
  minLength: 1,
  maxLength: 19,
  pattern: '^[1-9][0-9]*$',
  examples: [shippedEvent.id],
} as const;

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
      maximum: MAX_QUANTITY,
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
      example: placedOrder.complete,
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
  Event: answered('Something that happened in the store.', {
    id: { ...EVENT_ID, description: 'The revision that it brought the store to.' },
    type: schemaRef('EventType'),
    at: { ...utcDateTime, description: 'When it happened. UTC.', examples: [shippedEvent.at] },
    data: {
      type: 'object',
      description:
        'The order or the pet as it was then: an `Order` for `order.…`, a `Pet` for `pet.…`, nothing for others.',
      anyOf: [schemaRef('Order'), schemaRef('Pet'), { type: 'object' }],
      examples: [shippedEvent.data],
    },
  }),
  EventType: {
    type: 'string',
    minLength: 1,
    maxLength: 64,
    pattern: '^[a-z]+\\.[a-z]+$',
    description: 'What happened. An open list: pass over types that you do not know.',
    examples: eventTypes,
    'x-extensible-enum': eventTypes,
  },
  EventPage: answered('One page of events.', {
    data: { type: 'array', items: schemaRef('Event'), maxItems: MAX_LIMIT, description: 'Oldest first.' },
    nextCursor: {
      ...EVENT_ID,
      type: ['string', 'null'],
      description: 'Pass it as `after` for the next page; null on the last.',
    },
  }),
  Webhook: answered('A webhook.', webhookProperties),
  WebhookWithSecret: answered('A webhook and its secret.', {
    ...webhookProperties,
    secret: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      pattern: '^whsec_[A-Za-z0-9+/]+=*$',
      description: 'Signs what is sent. Shown once.',
      examples: [newWebhook.secret],
    },
  }),
  WebhookPage: answered('All webhooks of the store.', {
    data: { type: 'array', items: schemaRef('Webhook'), maxItems: 10, description: 'Oldest first.' },
    nextCursor: { type: 'null', description: 'There is no further page.', examples: [null] },
  }),
  ...webhookBodySchemas,
  Delivery: answered('An event on its way to a webhook.', {
    id: { ...int64, description: 'Counted for each webhook from 1.', examples: [delivery.id] },
    event: {
      type: 'object',
      description: 'What is sent: an `Event`, or a test.',
      anyOf: [schemaRef('Event'), { type: 'object' }],
      examples: [shippedEvent],
    },
    status: schemaRef('DeliveryStatus'),
    attempts: {
      type: 'array',
      items: schemaRef('DeliveryAttempt'),
      maxItems: 20,
      description: 'Each try so far, oldest first.',
    },
    nextAttemptAt: {
      ...utcDateTime,
      type: ['string', 'null'],
      description: 'When it is tried next, at the latest; null if it is not.',
      examples: [null],
    },
    createdAt: { ...utcDateTime, description: 'When it was made. UTC.', examples: [delivery.createdAt] },
  }),
  DeliveryStatus: enumeration(
    '`failed` when it was given up.',
    deliveryStatuses,
    deliveryStatuses.map((status) => `DELIVERY_${status.toUpperCase()}`),
  ),
  DeliveryAttempt: answered('One try to send an event.', {
    at: { ...utcDateTime, description: 'When it began. UTC.', examples: [delivery.createdAt] },
    status: {
      type: ['integer', 'null'],
      format: 'int32',
      minimum: 100,
      maximum: 999,
      description: 'The HTTP status of the answer; null if there was none.',
      examples: [204],
    },
    durationMs: { ...int64, minimum: 0, description: 'How long it took, in milliseconds.', examples: [41] },
    answer: {
      type: ['string', 'null'],
      maxLength: 1024,
      description: 'The first 1 KB of the answer.',
      examples: ['ok'],
    },
    error: {
      type: ['string', 'null'],
      maxLength: 200,
      description: 'Why there was no answer.',
      examples: [null],
    },
  }),
  DeliveryPage: page('One page of deliveries.', 'Delivery'),
  InspectedRequest: answered('A request to the store, and what came of it.', {
    id: {
      type: 'string',
      minLength: 1,
      maxLength: 19,
      description: 'Unique, and growing with time.',
      examples: [inspectedRequest.id],
    },
    at: { ...utcDateTime, description: 'When it was answered. UTC.', examples: [inspectedRequest.at] },
    method: { type: 'string', maxLength: 32, description: 'The HTTP method.', examples: ['GET'] },
    path: {
      type: 'string',
      maxLength: 2000,
      description: 'Path and query.',
      examples: [inspectedRequest.path],
    },
    operation: optionalText(100, 'The operation that it asked for.', inspectedRequest.operation),
    status: {
      type: 'integer',
      format: 'int32',
      minimum: 100,
      maximum: 599,
      description: 'The HTTP status.',
      examples: [409],
    },
    error: optionalText(64, 'The code of the error.', inspectedRequest.error),
    durationMs: {
      type: 'number',
      minimum: 0,
      description: 'How long it took, in milliseconds.',
      examples: [1.2],
    },
    requestId: {
      type: 'string',
      maxLength: 64,
      description: 'Its `X-Request-Id`.',
      examples: [inspectedRequest.requestId],
    },
    keyId: {
      type: 'string',
      maxLength: 64,
      description: 'Which key it came with.',
      examples: [inspectedRequest.keyId],
    },
    userAgent: optionalText(200, 'What sent it.', inspectedRequest.userAgent),
    requestBody: optionalText(4096, 'The first 4 KB of what was sent.', '{"petId":13}'),
    answerBody: optionalText(4096, 'The first 4 KB of the answer.', inspectedRequest.answerBody),
  }),
  RequestPage: page('One page of requests.', 'InspectedRequest'),
  ...bodySchemas,
  ...summarySchemas,
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
