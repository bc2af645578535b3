import { deployments } from '../deployment.ts';
import { int64 } from '../http/fields/field.ts';
import { documentParameters } from '../http/fields/parameters.ts';
import { DEPRECATED_SINCE, DEPRECATION_LINKS, SUNSET } from '../http/guards/deprecation.ts';
import {
  anyOperationAnswers,
  errorAnswers,
  forbidden,
  notFound,
  notModifiedAnswer,
} from '../http/openapi/answers.ts';
import {
  caching,
  challengeHeader,
  commonHeaders,
  everyAnswer,
  ifNoneMatch,
  ifNoneMatchParameter,
} from '../http/openapi/headers.ts';
import {
  about,
  externalDocs,
  FOR_DEMONSTRATION,
  headerRef,
  json,
  type OpenApiDocument,
  schemaRef,
  securitySchemes,
  TITLE,
  tags,
  textHeader,
} from '../http/openapi/openapi.ts';
import { MAX_HEADER_BYTES, MAX_URL_LENGTH } from '../http/server/raw-errors.ts';
import { KEY_CHARACTERS } from '../key-format.ts';
import { orderExample, petExample, schemas } from './schemas.ts';

const { errorAnswer, commonAnswers } = errorAnswers('Error');

export const orderPath = {
  orderId: int64(
    'Identifier of the order to cancel. Anything but a plain decimal int64 names no order: 404.',
    2,
  ),
};
export const petPath = {
  petId: int64('Identifier of the pet. Anything but a plain decimal int64 names no pet: 404.', 1),
};

const deprecationHeaders = {
  Deprecation: headerRef('Deprecation'),
  Sunset: headerRef('Sunset'),
  Link: headerRef('Link'),
};

const everyOperation = {
  ...anyOperationAnswers,
  405: { $ref: '#/components/responses/MethodNotAllowed' },
};

const listResponses = (description: string, schema: string, example: object) => ({
  200: { description, headers: caching, ...json({ type: 'array', items: schemaRef(schema) }, [example]) },
  304: notModifiedAnswer(),
  ...everyOperation,
});

const introduction = [
  `An HTTP/JSON interface to a pet store: list its orders and pets, and cancel orders. ${FOR_DEMONSTRATION}`,
  `Every operation needs an API key as a bearer token, \`Authorization: Bearer <API_KEY>\`. Sign up for an account in the [console](/console) and copy the key from there. It looks like \`${deployments.production.keyPrefix}…\` on production and \`${deployments.staging.keyPrefix}…\` on staging, with ${KEY_CHARACTERS} letters and digits behind that. It opens exactly one store of one deployment, and does not expire unless you choose so when you make it.`,
  'An order is `pending` from when it is placed until it ships. It goes from `pending` to `shipped` to `delivered`, or from `pending` to `cancelled`, and nowhere else. Version 1 does not show the state: `complete` is true for a delivered order, and a cancelled one is gone.',
  'Version 1 is stable and frozen: these four operations, and nothing else. Filtering and pagination are in [version 2](/docs/v2), a beta for the same stores with the same keys. Orders are placed with version 2 or in the console.',
  `Every answer that is not a success is an Error object: decide by its \`code\`. Beside what is special to an operation, HTTP itself knows these: 400, no valid HTTP; 405, a method that the path does not have, with \`Allow\`; 408, a request that did not arrive in time; 414, a target of more than ${MAX_URL_LENGTH / 1024} KiB; 431, headers of more than ${MAX_HEADER_BYTES / 1024} KiB; 501, a method that HTTP does not know.`,
  '`HEAD` works wherever `GET` does. Ids are 64-bit integers, exact to 9223372036854775807: use a JSON parser that keeps them.',
].join('\n\n');

/** Version 1 of the interface. The program routes by this document, and publishes it as `contract/v1.yaml`. */
export const v1Document = {
  openapi: '3.1.0',
  info: {
    title: TITLE,
    version: '1.0.0',
    summary: 'The orders and pets of one store.',
    description: introduction,
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
          'All orders placed in the store, in one array, by ascending id. Cancelled orders are not among them. Query parameters such as `status=pending` are ignored: filtering and pagination are in [version 2](/docs/v2#listOrders). Orders are placed with [version 2](/docs/v2#placeOrder) or in the [console](/console): `POST` here is 405.',
        parameters: [ifNoneMatch],
        responses: listResponses('All orders.', 'Order', orderExample),
      },
    },
    '/store/orders/{orderId}': {
      delete: {
        operationId: 'cancelOrder',
        tags: ['orders'],
        summary: 'Cancel an order',
        description:
          'Only a pending order can be cancelled: one that was placed and has not shipped. Shipping cannot be reversed. A cancelled order is gone: cancelling it again is a 404. When the answer has arrived, the change is on disk.',
        parameters: documentParameters('path', orderPath),
        responses: {
          204: { description: 'The order is cancelled.', headers: everyAnswer },
          ...everyOperation,
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
        responses: listResponses('All pets.', 'Pet', petExample),
      },
    },
    '/pets/{petId}': {
      get: {
        operationId: 'getPet',
        tags: ['pets'],
        summary: 'Read one pet',
        description: `Deprecated since ${day(DEPRECATED_SINCE)}; withdrawn on ${day(SUNSET)}, when it starts to answer 410. The one of [version 2](/docs/v2#getPet) takes its place.`,
        deprecated: true,
        'x-sunset': day(SUNSET),
        parameters: [...documentParameters('path', petPath), ifNoneMatch],
        responses: {
          200: {
            description: 'The pet.',
            headers: { ...caching, ...deprecationHeaders },
            ...json(schemaRef('Pet'), petExample),
          },
          304: notModifiedAnswer(deprecationHeaders),
          ...everyOperation,
          401: {
            ...commonAnswers.Unauthorized,
            headers: { ...everyAnswer, ...challengeHeader, ...deprecationHeaders },
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
      Allow: textHeader('The methods that the path has.', 100, 'GET, HEAD'),
      Deprecation: textHeader(
        'Since when the operation is deprecated (RFC 9745).',
        20,
        `@${DEPRECATED_SINCE.getTime() / 1000}`,
      ),
      Sunset: textHeader('When it is withdrawn (RFC 8594).', 29, SUNSET.toUTCString()),
      Link: textHeader(
        'Where to read more, and the operation of v2 that takes its place.',
        32_768,
        `${DEPRECATION_LINKS}, </v2/pets/${petExample.id}>; rel="successor-version"`,
      ),
    },
    schemas,
    responses: {
      ...commonAnswers,
      MethodNotAllowed: errorAnswer(
        'Not of this operation, but for any other method of its path. `Allow` names those that it has.',
        ['method_not_allowed'],
        { Allow: headerRef('Allow') },
      ),
    },
  },
} as const satisfies OpenApiDocument;

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
