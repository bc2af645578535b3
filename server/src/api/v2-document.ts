import { eventPaths } from '../events/event-operations.ts';
import { commonAnswers } from '../http/openapi/document-parts.ts';
import { commonHeaders, ifNoneMatchParameter } from '../http/openapi/headers.ts';
import {
  about,
  eventTags,
  externalDocs,
  type OpenApiDocument,
  securitySchemes,
  tags,
} from '../http/openapi/openapi.ts';
import { orderPaths } from '../orders/order-operations.ts';
import { transitions } from '../orders/states.ts';
import { petPaths } from '../pets/pet-operations.ts';
import { sandboxPaths, sandboxTag } from '../sandbox/sandbox-operations.ts';
import { summaryPaths } from '../summary/summary-operations.ts';
import { sentWebhooks, webhookPaths } from '../webhooks/webhook-operations.ts';
import { IDEMPOTENCY_KEY_SCHEMA } from './v2-bodies.ts';
import { createdPet, nextPage, placedOrder, webhook } from './v2-examples.ts';
import { schemas } from './v2-schemas.ts';

const nextLink = (path: string) => ({
  description: 'The next page, as `rel="next"`; absent on the last.',
  schema: { type: 'string', maxLength: 1024 },
  example: nextPage(path),
});
const location = (path: string) => ({
  description: 'Where the new resource is.',
  schema: { type: 'string', maxLength: 64 },
  example: path,
});
const link = (operationId: string, parameter: string, description: string) => ({
  operationId,
  parameters: { [parameter]: '$response.body#/id' },
  description,
});

/** Version 2 of the interface. The program routes by this document, and publishes it as `contract/v2.yaml`. */
export const v2Document = {
  openapi: '3.1.0',
  info: {
    title: 'Pet Store',
    version: '2.0.0-beta.1',
    summary: 'The orders and pets of one store, with filters, pages and the whole life of an order.',
    description: [
      'The same stores, keys and errors as version 1. Every operation is `beta`: it may still change. Those of the sandbox and about events are `experimental`: they may also go.',
      'Answers are open for fields to come: pass over those you do not know. Requests are closed: a field or a parameter that is not listed is refused.',
      'Lists come in pages. Follow `nextCursor` until it is null: every order that exists throughout the walk is seen exactly once, whatever is placed or cancelled meanwhile.',
      `An order moves along these transitions and no others: ${Object.entries(transitions)
        .map(([name, { from, to }]) => `${name}: ${from} → ${to}`)
        .join('; ')}.`,
      "A pet's stock is never negative and never lost: its stock and the units in its orders that are not cancelled always add up to the same number, unless you set the stock yourself.",
      'Integers are exact to 64 bits. In bodies they may be written as JSON Schema has them (`3`, `3.0`); dates are RFC 3339, and `+0000` is understood as `+00:00`.',
    ].join('\n\n'),
    ...about,
  },
  servers: [
    { url: 'http://127.0.0.1:8080/v2', description: 'production' },
    { url: 'http://127.0.0.1:8081/v2', description: 'staging' },
  ],
  security: [{ apiKey: [] }],
  externalDocs,
  tags: [...tags, ...eventTags, sandboxTag],
  paths: { ...orderPaths, ...summaryPaths, ...petPaths, ...eventPaths, ...webhookPaths, ...sandboxPaths },
  webhooks: sentWebhooks,
  components: {
    securitySchemes,
    parameters: {
      IfNoneMatch: ifNoneMatchParameter,
      IdempotencyKey: {
        name: 'Idempotency-Key',
        in: 'header',
        description: `Any text of your own, up to ${IDEMPOTENCY_KEY_SCHEMA.maxLength} plain characters; remembered for 24 hours, the newest 100,000 of a store at the most.`,
        schema: IDEMPOTENCY_KEY_SCHEMA,
        example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
      },
    },
    headers: {
      ...commonHeaders,
      OrdersLink: nextLink('/v2/store/orders'),
      EventsLink: {
        ...nextLink('/v2/store/events'),
        example: '</v2/store/events?limit=1&after=17>; rel="next"',
      },
      PetsLink: nextLink('/v2/pets'),
      RequestsLink: nextLink('/v2/store/requests'),
      DeliveriesLink: nextLink(`/v2/webhooks/${webhook.id}/deliveries`),
      WebhookLocation: location(`/v2/webhooks/${webhook.id}`),
      OrderLocation: location(`/v2/store/orders/${placedOrder.id}`),
      PetLocation: location(`/v2/pets/${createdPet.id}`),
      IdempotentReplayed: {
        description: '`true` if this is the answer to an earlier request with the same `Idempotency-Key`.',
        schema: { type: 'string', enum: ['true'] },
        example: 'true',
      },
    },
    links: {
      GetOrder: link('getOrder', 'orderId', 'Reads the order.'),
      ShipOrder: link('shipOrder', 'orderId', 'Ships the order.'),
      DeliverOrder: link('deliverOrder', 'orderId', 'Delivers the order.'),
      CancelOrder: link('cancelOrder', 'orderId', 'Cancels the order.'),
      GetOrderHistory: link('getOrderHistory', 'orderId', 'Reads every state that the order was in.'),
      GetPet: link('getPet', 'petId', 'Reads the pet.'),
      ChangePet: link('changePet', 'petId', 'Changes the pet.'),
    },
    schemas,
    responses: commonAnswers,
  },
} as const satisfies OpenApiDocument;
