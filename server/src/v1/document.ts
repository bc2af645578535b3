import { DEPRECATED_SINCE, SUNSET } from '../http/guards/deprecation.ts';
import {
  anyOperationAnswers,
  errorAnswers,
  forbidden,
  notFound,
  notModifiedAnswer,
} from '../http/openapi/answers.ts';
import {
  caching,
  challenge,
  commonHeaders,
  everyAnswer,
  ifNoneMatchParameter,
} from '../http/openapi/headers.ts';
import {
  about,
  externalDocs,
  headerRef,
  int64,
  json,
  type OpenApiDocument,
  schemaRef,
  securitySchemes,
  tags,
} from '../http/openapi/openapi.ts';
import { orderExample, petExample, schemas } from './schemas.ts';

const { errorAnswer, commonAnswers } = errorAnswers('Error');

const deprecationHeaders = {
  Deprecation: headerRef('Deprecation'),
  Sunset: headerRef('Sunset'),
  Link: headerRef('Link'),
};

const ifNoneMatch = { $ref: '#/components/parameters/IfNoneMatch' };

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
    ...about,
  },
  servers: [
    { url: 'http://127.0.0.1:8080/v1', description: 'production' },
    { url: 'http://127.0.0.1:8081/v1', description: 'staging' },
  ],
  security: [{ apiKey: [] }],
  externalDocs,
  tags,
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
            headers: caching,
            ...json({ type: 'array', items: schemaRef('Order') }, [orderExample]),
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
          204: { description: 'The order is cancelled.', headers: everyAnswer },
          ...anyOperationAnswers,
          ...forbidden,
          ...notFound,
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
            headers: caching,
            ...json({ type: 'array', items: schemaRef('Pet') }, [petExample]),
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
            headers: { ...caching, ...deprecationHeaders },
            ...json(schemaRef('Pet'), petExample),
          },
          304: notModifiedAnswer(deprecationHeaders),
          ...anyOperationAnswers,
          401: {
            ...commonAnswers.Unauthorized,
            headers: { ...everyAnswer, ...challenge, ...deprecationHeaders },
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
    headers: {
      ...commonHeaders,
      Deprecation: {
        description: 'Since when the operation is deprecated (RFC 9745).',
        schema: { type: 'string', maxLength: 20 },
        example: `@${DEPRECATED_SINCE.getTime() / 1000}`,
      },
      Sunset: {
        description: 'When it is withdrawn (RFC 8594).',
        schema: { type: 'string', maxLength: 29 },
        example: SUNSET.toUTCString(),
      },
      Link: {
        description: 'Where to read more, and the operation of v2 that takes its place.',
        schema: { type: 'string', maxLength: 32_768 },
        example: `</docs>; rel="deprecation"; type="text/html", </docs>; rel="sunset"; type="text/html", </v2/pets/${petExample.id}>; rel="successor-version"`,
      },
    },
    schemas,
    responses: commonAnswers,
  },
} as const satisfies OpenApiDocument;

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
