import { DomainError } from '../domain/domain-error.ts';
import { respondFromCache } from '../http/content/response-cache.ts';
import { ApiError, firstOrNotFound } from '../http/errors.ts';
import { int64 } from '../http/fields/field.ts';
import { DEPRECATED_SINCE, SUNSET } from '../http/guards/deprecation.ts';
import { headerRef, json, schemaRef } from '../http/openapi/openapi.ts';
import {
  cachingHeaders,
  challengeHeader,
  notModifiedResponse,
  response,
  standardHeaders,
} from '../http/openapi/responses.ts';
import { operation, type Services } from '../http/operations/operation.ts';
import { cancelOrder } from '../orders/change-status.ts';
import { findPet } from '../pets/pet.ts';
import type { RespondWithList } from './list-response.ts';
import { orderList, petList, writePet } from './list-source.ts';
import { commonResponses, errorResponse, orderExample, petExample } from './schemas.ts';

type V1Services = Services & { readonly respondWithList: RespondWithList };

const listResponses = (description: string, schema: string, example: object) => ({
  200: {
    description,
    headers: cachingHeaders,
    ...json({ type: 'array', items: schemaRef(schema) }, [example]),
  },
  304: notModifiedResponse(),
});

const listOrders = operation({
  operationId: 'listOrders',
  at: 'GET /store/orders',
  summary: 'List all orders',
  description:
    'Returns all orders of the store in one array, sorted by ascending id. Cancelled orders are not included. Query parameters such as `status=pending` are ignored: use [version 2](/docs/v2#listOrders) to filter and paginate. To place an order, use [version 2](/docs/v2#placeOrder) or the [console](/console); `POST` on this path returns 405.',
  responses: listResponses('All orders.', 'Order', orderExample),
  handle: ({ request }, { respondWithList }: V1Services) => respondWithList(request, orderList),
});

const cancelOrderOperation = operation({
  operationId: 'cancelOrder',
  at: 'DELETE /store/orders/{orderId}',
  summary: 'Cancel an order',
  description:
    'Only a pending order, placed but not yet shipped, can be cancelled. Shipping cannot be reversed. In version 1 a cancelled order no longer exists: cancelling it again returns 404. The change is on disk before the response is sent.',
  path: {
    orderId: int64(
      'Id of the order to cancel. Anything other than a plain decimal int64 returns 404.',
      orderExample.id,
    ),
  },
  responses: {
    204: { description: 'The order is cancelled.', headers: standardHeaders },
    409: errorResponse('The order has already shipped.', ['order_already_shipped']),
  },
  async handle({ request, storeId, orderId }, { writer, effectiveTime }: V1Services) {
    const change = { storeId, orderId, at: BigInt(effectiveTime(request)) };
    await writer.apply(cancelOrder, change).catch((error: unknown) => {
      // To v1 a cancelled order no longer exists.
      const isAlreadyCancelled = error instanceof DomainError && error.code === 'order_already_cancelled';
      throw isAlreadyCancelled ? new ApiError('not_found') : error;
    });
    return { status: 204 };
  },
});

const listPets = operation({
  operationId: 'listPets',
  at: 'GET /pets',
  summary: 'List all pets',
  description:
    'Returns all pets of the store, sorted by ascending id. A quick way to test your connection and API key.',
  responses: listResponses('All pets.', 'Pet', petExample),
  handle: ({ request }, { respondWithList }: V1Services) => respondWithList(request, petList),
});

const deprecationHeaders = {
  Deprecation: headerRef('Deprecation'),
  Sunset: headerRef('Sunset'),
  Link: headerRef('Link'),
};

const getPet = operation({
  operationId: 'getPet',
  at: 'GET /pets/{petId}',
  summary: 'Get a pet',
  description: `Deprecated since ${day(DEPRECATED_SINCE)}. Removed on ${day(SUNSET)}; from then on it returns 410. Use [getPet in version 2](/docs/v2#getPet) instead.`,
  sunset: day(SUNSET),
  path: {
    petId: int64('Id of the pet. Anything other than a plain decimal int64 returns 404.', petExample.id),
  },
  responses: {
    200: response('The pet.', 'Pet', petExample, { ...cachingHeaders, ...deprecationHeaders }),
    304: notModifiedResponse(deprecationHeaders),
    401: {
      ...commonResponses.Unauthorized,
      headers: { ...standardHeaders, ...challengeHeader, ...deprecationHeaders },
    },
    404: errorResponse('The pet does not exist.', ['not_found'], deprecationHeaders),
    410: errorResponse('The sunset date has passed.', ['gone'], deprecationHeaders),
  },
  handle: ({ request, storeId, petId }, { db, responses }: V1Services) =>
    respondFromCache(request, responses, `pet of v1 ${petId}`, async () =>
      writePet(firstOrNotFound(await db.all(findPet, { storeId, petId }))),
    ),
});

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}

export const v1Features = [
  { tag: 'orders', operations: [listOrders, cancelOrderOperation] },
  { tag: 'pets', operations: [listPets, getPet] },
];

export const v1Operations = v1Features.flatMap(({ operations }) => operations);
