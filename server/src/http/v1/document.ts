import { DEPRECATED_SINCE, SUNSET } from '../guards/deprecation.ts';
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

const int64 = { type: 'integer', format: 'int64' };
const orderExample = { id: 2, petId: 11, quantity: 5, shipDate: '2026-12-07T10:00:00.000Z', complete: false };
const petExample = { id: 1, name: 'Rex', category: 'dog', status: 'available' };

const deprecationHeaders = {
  Deprecation: {
    description: 'Since when the operation is deprecated (RFC 9745).',
    schema: { type: 'string' },
    example: `@${DEPRECATED_SINCE.getTime() / 1000}`,
  },
  Sunset: {
    description: 'When it is withdrawn (RFC 8594).',
    schema: { type: 'string' },
    example: SUNSET.toUTCString(),
  },
  Link: {
    description: 'Where to read more.',
    schema: { type: 'string' },
    example: '</docs>; rel="deprecation"',
  },
};

const ifNoneMatch = { $ref: '#/components/parameters/IfNoneMatch' };
const json = (schema: object, example: unknown) => ({ content: { 'application/json': { schema, example } } });

/** Version 1 of the interface. The program routes by this document, and publishes it as `contract/v1.yaml`. */
export const v1Document = {
  openapi: '3.1.0',
  info: {
    title: 'Pet Store',
    version: '1.0.0',
    summary: 'The orders and pets of one store.',
    description: [
      'An HTTP/JSON interface to a pet store, for demonstration. A key opens exactly one store; get one by signing up in the console.',
      'Every operation needs the key as a bearer token. Every answer that is not a success is an Error object.',
      '`HEAD` works wherever `GET` does. Ids are 64-bit integers, exact to 9223372036854775807: use a JSON parser that keeps them.',
    ].join('\n\n'),
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [
    { url: 'http://127.0.0.1:8080/v1', description: 'production' },
    { url: 'http://127.0.0.1:8081/v1', description: 'staging' },
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
        tags: ['orders'],
        summary: 'List all orders',
        description:
          'All orders placed in the store, in one array, by ascending id. Cancelled orders are not among them. Query parameters are ignored.',
        parameters: [ifNoneMatch],
        responses: {
          200: {
            description: 'All orders.',
            headers: cachingHeaders,
            ...json({ type: 'array', items: { $ref: '#/components/schemas/Order' } }, [orderExample]),
          },
          304: notModifiedAnswer(),
          ...anyOperationAnswers,
        },
      },
    },
    '/store/orders/{orderId}': {
      delete: {
        operationId: 'cancelOrder',
        tags: ['orders'],
        summary: 'Cancel an order',
        description:
          'Only a pending order can be cancelled. A cancelled order is gone: cancelling it again is a 404. When the answer has arrived, the change is on disk.',
        parameters: [
          {
            name: 'orderId',
            in: 'path',
            required: true,
            description:
              'Identifier of the order to cancel. Anything but a plain decimal int64 names no order: 404.',
            schema: int64,
            example: 2,
          },
        ],
        responses: {
          204: { description: 'The order is cancelled.', headers: requestIdHeader },
          ...anyOperationAnswers,
          404: { $ref: '#/components/responses/NotFound' },
          409: errorAnswer('The order has already shipped.', ['order_already_shipped']),
        },
      },
    },
    '/pets': {
      get: {
        operationId: 'listPets',
        tags: ['pets'],
        summary: 'List all pets',
        description: 'All pets of the store, by ascending id. Quick enough to check the connection with.',
        parameters: [ifNoneMatch],
        responses: {
          200: {
            description: 'All pets.',
            headers: cachingHeaders,
            ...json({ type: 'array', items: { $ref: '#/components/schemas/Pet' } }, [petExample]),
          },
          304: notModifiedAnswer(),
          ...anyOperationAnswers,
        },
      },
    },
    '/pets/{petId}': {
      get: {
        operationId: 'getPet',
        tags: ['pets'],
        summary: 'Read one pet',
        description: `Deprecated since ${day(DEPRECATED_SINCE)}; withdrawn on ${day(SUNSET)}, when it starts to answer 410.`,
        deprecated: true,
        'x-sunset': day(SUNSET),
        parameters: [
          {
            name: 'petId',
            in: 'path',
            required: true,
            description: 'Identifier of the pet. Anything but a plain decimal int64 names no pet: 404.',
            schema: int64,
            example: 1,
          },
          ifNoneMatch,
        ],
        responses: {
          200: {
            description: 'The pet.',
            headers: { ...cachingHeaders, ...deprecationHeaders },
            ...json({ $ref: '#/components/schemas/Pet' }, petExample),
          },
          304: notModifiedAnswer(deprecationHeaders),
          ...anyOperationAnswers,
          401: {
            ...commonAnswers.Unauthorized,
            headers: { ...commonAnswers.Unauthorized.headers, ...deprecationHeaders },
          },
          404: errorAnswer('There is no such pet.', ['not_found'], deprecationHeaders),
          410: errorAnswer('The sunset date has passed.', ['gone'], deprecationHeaders),
        },
      },
    },
  },
  components: {
    securitySchemes,
    parameters: { IfNoneMatch: ifNoneMatchParameter },
    schemas: {
      Order: {
        type: 'object',
        description: 'All five fields are always there.',
        additionalProperties: false,
        properties: {
          id: { ...int64, description: 'Unique order identifier.' },
          petId: { ...int64, description: 'Identifier of the animal in this order.' },
          quantity: { type: 'integer', description: 'Number of units ordered.' },
          shipDate: {
            type: 'string',
            format: 'date-time',
            description: 'The expected ship date; from shipping on, the actual one. UTC.',
          },
          complete: { type: 'boolean', description: 'Whether the order has been fulfilled.' },
        },
      },
      Pet: {
        type: 'object',
        required: ['id', 'name', 'category', 'status'],
        additionalProperties: false,
        properties: {
          id: { ...int64, description: 'Unique pet identifier.' },
          name: { type: 'string' },
          category: { type: 'string', description: 'What kind of animal it is, such as `dog`.' },
          status: { type: 'string', enum: ['available', 'sold'], description: '`sold` when none is left.' },
        },
      },
      Error: errorSchema,
    },
    responses: {
      ...commonAnswers,
      NotFound: errorAnswer('The requested resource could not be found.', ['not_found']),
    },
  },
} as const satisfies OpenApiDocument;

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
