import { orderStatuses, transitions } from '../../orders/states.ts';
import {
  anyOperationAnswers,
  cachingHeaders,
  commonAnswers,
  errorAnswer,
  errorSchema,
  ifNoneMatchParameter,
  notModifiedAnswer,
  type OpenApiDocument,
  requestIdHeader,
  securitySchemes,
} from '../openapi/openapi.ts';
import { documentSchema, MAX_IDEMPOTENCY_KEY, NewOrder, NewPet, PetChange } from './bodies.ts';
import { orderParameters, petParameters } from './order-parameters.ts';
import { documentParameters } from './parameters.ts';

const int64 = { type: 'integer', format: 'int64' };
const dateTime = { type: 'string', format: 'date-time' };
const orderExample = {
  id: 2,
  petId: 11,
  quantity: 5,
  shipDate: '2026-12-07T10:00:00.000Z',
  complete: false,
  status: 'pending',
  placedAt: '2026-09-03T23:34:00.000Z',
  updatedAt: '2026-09-03T23:34:00.000Z',
};
const petExample = { id: 1, name: 'Rex', category: 'dog', status: 'available', stock: 24 };

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object, example: unknown) => ({ content: { 'application/json': { schema, example } } });
const answer = (
  description: string,
  schema: object,
  example: unknown,
  headers: object = requestIdHeader,
) => ({
  description,
  headers,
  ...json(schema, example),
});
const page = (schema: object, example: unknown) =>
  answer(
    'One page, and the cursor of the next.',
    {
      type: 'object',
      required: ['data', 'nextCursor'],
      additionalProperties: false,
      properties: {
        data: { type: 'array', items: schema },
        nextCursor: {
          type: ['string', 'null'],
          description: 'Pass it as `cursor` for the next page; null on the last.',
        },
      },
    },
    { data: [example], nextCursor: null },
    {
      ...cachingHeaders,
      Link: {
        description: 'The next page, as `rel="next"`; absent on the last.',
        schema: { type: 'string' },
        example: '</v2/store/orders?limit=50&cursor=AAAB…>; rel="next"',
      },
    },
  );
const location = {
  ...requestIdHeader,
  Location: {
    description: 'Where the new resource is.',
    schema: { type: 'string' },
    example: '/v2/store/orders/41',
  },
};
const notFound = { 404: { $ref: '#/components/responses/NotFound' } };
const pathId = (name: string, what: string) => ({
  name,
  in: 'path',
  required: true,
  description: `Identifier of the ${what}. Anything but a plain decimal int64 names none: 404.`,
  schema: int64,
  example: 2,
});
const invalidQuery = errorAnswer('A parameter is unknown or malformed, or the cursor does not fit.', [
  'invalid_parameter',
  'invalid_cursor',
]);
const invalidBody = errorAnswer('The body is not valid.', ['invalid_body']);
const bodyAnswers = {
  400: invalidBody,
  413: errorAnswer('The body is too large.', ['payload_too_large']),
  415: errorAnswer('The body is of another type.', ['unsupported_media_type']),
};
const ifNoneMatch = { $ref: '#/components/parameters/IfNoneMatch' };
const beta = { 'x-stability': 'beta' } as const;

/** Version 2 of the interface. The program routes by this document, and publishes it as `contract/v2.yaml`. */
export const v2Document = {
  openapi: '3.1.0',
  info: {
    title: 'Pet Store',
    version: '2.0.0-beta.1',
    summary: 'The orders and pets of one store, with filters, pages and the whole life of an order.',
    description: [
      'The same stores, keys and errors as version 1. Every operation is `beta`: it may still change.',
      'Lists come in pages. Follow `nextCursor` until it is null: every order that exists throughout the walk is seen exactly once, whatever is placed or cancelled meanwhile.',
      `An order moves along these transitions and no others: ${Object.entries(transitions)
        .map(([name, { from, to }]) => `${name}: ${from} → ${to}`)
        .join('; ')}.`,
      "A pet's stock is never negative and never lost: its stock and the units in its orders that are not cancelled always add up to the same number, unless you set the stock yourself.",
    ].join('\n\n'),
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [
    { url: 'http://127.0.0.1:8080/v2', description: 'production' },
    { url: 'http://127.0.0.1:8081/v2', description: 'staging' },
  ],
  security: [{ apiKey: [] }],
  tags: [
    { name: 'orders', description: 'Orders placed in the store.' },
    { name: 'pets', description: 'Animals that the store sells.' },
  ],
  paths: {
    '/store/orders': {
      get: {
        operationId: 'listOrders',
        ...beta,
        tags: ['orders'],
        summary: 'List orders, by page',
        description: 'Orders that satisfy all filters, cancelled ones included.',
        parameters: [...documentParameters(orderParameters), ifNoneMatch],
        responses: {
          200: page(ref('Order'), orderExample),
          304: notModifiedAnswer(),
          ...anyOperationAnswers,
          400: invalidQuery,
        },
      },
      post: {
        operationId: 'placeOrder',
        ...beta,
        tags: ['orders'],
        summary: 'Place an order',
        description:
          'Takes the units from the stock of the pet. With an `Idempotency-Key`, a retry with the same body gets the first answer again instead of a second order.',
        parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
        requestBody: { required: true, ...json(ref('NewOrder'), { petId: 1, quantity: 2 }) },
        responses: {
          201: answer(
            'The order is placed.',
            ref('Order'),
            { ...orderExample, id: 41, petId: 1, quantity: 2 },
            {
              ...location,
              'Idempotent-Replayed': {
                description:
                  '`true` if this is the answer to an earlier request with the same `Idempotency-Key`.',
                schema: { type: 'string', enum: ['true'] },
              },
            },
          ),
          ...anyOperationAnswers,
          ...bodyAnswers,
          400: errorAnswer('The body or the `Idempotency-Key` is not valid.', [
            'invalid_body',
            'invalid_parameter',
          ]),
          409: errorAnswer('Not enough stock, or the same `Idempotency-Key` is still under way.', [
            'insufficient_stock',
            'idempotency_key_in_use',
          ]),
          422: errorAnswer('No such pet, or the `Idempotency-Key` was used for another body.', [
            'unknown_pet',
            'idempotency_key_reused',
          ]),
        },
      },
    },
    '/store/orders/{orderId}': {
      get: {
        operationId: 'getOrder',
        ...beta,
        tags: ['orders'],
        summary: 'Read one order',
        description: 'Also when it is cancelled.',
        parameters: [pathId('orderId', 'order'), ifNoneMatch],
        responses: {
          200: answer('The order.', ref('Order'), orderExample, cachingHeaders),
          304: notModifiedAnswer(),
          ...anyOperationAnswers,
          ...notFound,
        },
      },
      delete: {
        operationId: 'cancelOrder',
        ...beta,
        tags: ['orders'],
        summary: 'Cancel an order',
        description: 'Only a pending order can be cancelled. Its units go back to the stock of the pet.',
        parameters: [pathId('orderId', 'order')],
        responses: {
          204: { description: 'The order is cancelled.', headers: requestIdHeader },
          ...anyOperationAnswers,
          ...notFound,
          409: errorAnswer('The order is not pending any more.', [
            'order_already_shipped',
            'order_already_cancelled',
          ]),
        },
      },
    },
    '/store/orders/{orderId}/ship': {
      post: {
        operationId: 'shipOrder',
        ...beta,
        tags: ['orders'],
        summary: 'Ship an order',
        description: 'Its ship date becomes the moment it shipped. Takes no body.',
        parameters: [pathId('orderId', 'order')],
        responses: {
          200: answer('The order, shipped.', ref('Order'), { ...orderExample, status: 'shipped' }),
          ...anyOperationAnswers,
          ...notFound,
          409: errorAnswer('The order is not pending.', ['invalid_transition']),
        },
      },
    },
    '/store/orders/{orderId}/deliver': {
      post: {
        operationId: 'deliverOrder',
        ...beta,
        tags: ['orders'],
        summary: 'Deliver an order',
        description: 'Completes a shipped order. Takes no body.',
        parameters: [pathId('orderId', 'order')],
        responses: {
          200: answer('The order, delivered.', ref('Order'), {
            ...orderExample,
            complete: true,
            status: 'delivered',
          }),
          ...anyOperationAnswers,
          ...notFound,
          409: errorAnswer('The order is not shipped.', ['invalid_transition']),
        },
      },
    },
    '/store/orders/{orderId}/history': {
      get: {
        operationId: 'getOrderHistory',
        ...beta,
        tags: ['orders'],
        summary: 'Read the history of an order',
        description: 'Every state it was in, oldest first, with the time it entered it.',
        parameters: [pathId('orderId', 'order'), ifNoneMatch],
        responses: {
          200: answer(
            'The history.',
            {
              type: 'object',
              required: ['data'],
              additionalProperties: false,
              properties: { data: { type: 'array', items: ref('OrderState') } },
            },
            { data: [{ status: 'pending', at: '2026-09-03T23:34:00.000Z' }] },
            cachingHeaders,
          ),
          304: notModifiedAnswer(),
          ...anyOperationAnswers,
          ...notFound,
        },
      },
    },
    '/pets': {
      get: {
        operationId: 'listPets',
        ...beta,
        tags: ['pets'],
        summary: 'List pets, by page',
        description: 'Pets that satisfy all filters, by ascending id.',
        parameters: [...documentParameters(petParameters), ifNoneMatch],
        responses: {
          200: page(ref('Pet'), petExample),
          304: notModifiedAnswer(),
          ...anyOperationAnswers,
          400: invalidQuery,
        },
      },
      post: {
        operationId: 'createPet',
        ...beta,
        tags: ['pets'],
        summary: 'Add a pet',
        description: 'Without `stock` it starts with none.',
        requestBody: { required: true, ...json(ref('NewPet'), { name: 'Luna', category: 'cat', stock: 3 }) },
        responses: {
          201: answer('The pet is added.', ref('Pet'), { ...petExample, id: 13 }, location),
          ...anyOperationAnswers,
          ...bodyAnswers,
        },
      },
    },
    '/pets/{petId}': {
      get: {
        operationId: 'getPet',
        ...beta,
        tags: ['pets'],
        summary: 'Read one pet',
        description: 'With its stock.',
        parameters: [pathId('petId', 'pet'), ifNoneMatch],
        responses: {
          200: answer('The pet.', ref('Pet'), petExample, cachingHeaders),
          304: notModifiedAnswer(),
          ...anyOperationAnswers,
          ...notFound,
        },
      },
      patch: {
        operationId: 'changePet',
        ...beta,
        tags: ['pets'],
        summary: 'Change a pet',
        description: 'What is given is changed, the rest stays.',
        parameters: [pathId('petId', 'pet')],
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: ref('PetChange'), example: { stock: 40 } },
            'application/merge-patch+json': { schema: ref('PetChange'), example: { stock: 40 } },
          },
        },
        responses: {
          200: answer('The pet, changed.', ref('Pet'), { ...petExample, stock: 40 }),
          ...anyOperationAnswers,
          ...bodyAnswers,
          ...notFound,
        },
      },
    },
  },
  components: {
    securitySchemes,
    parameters: {
      IfNoneMatch: ifNoneMatchParameter,
      IdempotencyKey: {
        name: 'Idempotency-Key',
        in: 'header',
        description: `Any text of your own, up to ${MAX_IDEMPOTENCY_KEY} characters; remembered for 24 hours.`,
        schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY },
        example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
      },
    },
    schemas: {
      Order: {
        type: 'object',
        required: ['id', 'petId', 'quantity', 'shipDate', 'complete', 'status', 'placedAt', 'updatedAt'],
        additionalProperties: false,
        properties: {
          id: { ...int64, description: 'Unique order identifier.' },
          petId: { ...int64, description: 'Identifier of the animal in this order.' },
          quantity: { type: 'integer', description: 'Number of units ordered.' },
          shipDate: {
            ...dateTime,
            description: 'The expected ship date; from shipping on, the actual one. UTC.',
          },
          complete: { type: 'boolean', description: 'Whether the order has been delivered.' },
          status: { $ref: '#/components/schemas/OrderStatus' },
          placedAt: dateTime,
          updatedAt: { ...dateTime, description: 'When it last changed its state.' },
        },
      },
      OrderStatus: { type: 'string', enum: orderStatuses },
      OrderState: {
        type: 'object',
        required: ['status', 'at'],
        additionalProperties: false,
        properties: { status: ref('OrderStatus'), at: dateTime },
      },
      Pet: {
        type: 'object',
        required: ['id', 'name', 'category', 'status', 'stock'],
        additionalProperties: false,
        properties: {
          id: { ...int64, description: 'Unique pet identifier.' },
          name: { type: 'string' },
          category: { type: 'string', description: 'What kind of animal it is, such as `dog`.' },
          status: { type: 'string', enum: ['available', 'sold'], description: '`sold` when none is left.' },
          stock: { type: 'integer', minimum: 0, description: 'Units that can be ordered.' },
        },
      },
      NewOrder: documentSchema(NewOrder),
      NewPet: documentSchema(NewPet),
      PetChange: documentSchema(PetChange),
      Error: errorSchema,
    },
    responses: {
      ...commonAnswers,
      NotFound: errorAnswer('The requested resource could not be found.', ['not_found']),
    },
  },
} as const satisfies OpenApiDocument;
