import { answerFromKept } from '../http/content/kept-answers.ts';
import { ApiError, found } from '../http/errors.ts';
import { int64 } from '../http/fields/field.ts';
import { DEPRECATED_SINCE, SUNSET } from '../http/guards/deprecation.ts';
import { answer, caching, challengeHeader, everyAnswer, notModifiedAnswer } from '../http/openapi/answers.ts';
import { headerRef, json, schemaRef } from '../http/openapi/openapi.ts';
import { operation, type Services } from '../http/openapi/operation.ts';
import { cancelOrder } from '../orders/change-status.ts';
import { findPet } from '../pets/pet.ts';
import { Refusal } from '../refusal.ts';
import type { AnswerList } from './list-answer.ts';
import { orderList, petList, writePet } from './list-source.ts';
import { commonAnswers, errorAnswer, orderExample, petExample } from './schemas.ts';

type V1Services = Services & { readonly answerList: AnswerList };

const listOf = (description: string, schema: string, example: object) => ({
  200: { description, headers: caching, ...json({ type: 'array', items: schemaRef(schema) }, [example]) },
  304: notModifiedAnswer(),
});

const listOrders = operation({
  operationId: 'listOrders',
  at: 'GET /store/orders',
  summary: 'List all orders',
  description:
    'All orders placed in the store, in one array, by ascending id. Cancelled orders are not among them. Query parameters such as `status=pending` are ignored: filtering and pagination are in [version 2](/docs/v2#listOrders). Orders are placed with [version 2](/docs/v2#placeOrder) or in the [console](/console): `POST` here is 405.',
  answers: listOf('All orders.', 'Order', orderExample),
  handle: ({ request }, { answerList }: V1Services) => answerList(request, orderList),
});

const cancelOrderOperation = operation({
  operationId: 'cancelOrder',
  at: 'DELETE /store/orders/{orderId}',
  summary: 'Cancel an order',
  description:
    'Only a pending order can be cancelled: one that was placed and has not shipped. Shipping cannot be reversed. A cancelled order is gone: cancelling it again is a 404. When the answer has arrived, the change is on disk.',
  path: {
    orderId: int64(
      'Identifier of the order to cancel. Anything but a plain decimal int64 names no order: 404.',
      orderExample.id,
    ),
  },
  answers: {
    204: { description: 'The order is cancelled.', headers: everyAnswer },
    409: errorAnswer('The order has already shipped.', ['order_already_shipped']),
  },
  async handle({ request, storeId, orderId }, { writer, momentOf }: V1Services) {
    const change = { storeId, orderId, at: BigInt(momentOf(request)) };
    await writer.apply(cancelOrder, change).catch((error: unknown) => {
      // To v1 a cancelled order no longer exists.
      const isGone = error instanceof Refusal && error.code === 'order_already_cancelled';
      throw isGone ? new ApiError('not_found') : error;
    });
    return { status: 204 };
  },
});

const listPets = operation({
  operationId: 'listPets',
  at: 'GET /pets',
  summary: 'List all pets',
  description: 'All pets of the store, by ascending id. Quick enough to check the connection with.',
  answers: listOf('All pets.', 'Pet', petExample),
  handle: ({ request }, { answerList }: V1Services) => answerList(request, petList),
});

const deprecationHeaders = {
  Deprecation: headerRef('Deprecation'),
  Sunset: headerRef('Sunset'),
  Link: headerRef('Link'),
};

const getPet = operation({
  operationId: 'getPet',
  at: 'GET /pets/{petId}',
  summary: 'Read one pet',
  description: `Deprecated since ${day(DEPRECATED_SINCE)}; withdrawn on ${day(SUNSET)}, when it starts to answer 410. The one of [version 2](/docs/v2#getPet) takes its place.`,
  sunset: day(SUNSET),
  path: {
    petId: int64(
      'Identifier of the pet. Anything but a plain decimal int64 names no pet: 404.',
      petExample.id,
    ),
  },
  answers: {
    200: answer('The pet.', 'Pet', petExample, { ...caching, ...deprecationHeaders }),
    304: notModifiedAnswer(deprecationHeaders),
    401: {
      ...commonAnswers.Unauthorized,
      headers: { ...everyAnswer, ...challengeHeader, ...deprecationHeaders },
    },
    404: errorAnswer('There is no such pet.', ['not_found'], deprecationHeaders),
    410: errorAnswer('The sunset date has passed.', ['gone'], deprecationHeaders),
  },
  handle: ({ request, storeId, petId }, { db, answers }: V1Services) =>
    answerFromKept(request, answers, `pet of v1 ${petId}`, async () =>
      writePet(found(await db.all(findPet, { storeId, petId }))),
    ),
});

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}

const answers = { 405: { $ref: '#/components/responses/MethodNotAllowed' } };

export const v1Features = [
  { tag: 'orders', answers, operations: [listOrders, cancelOrderOperation] },
  { tag: 'pets', answers, operations: [listPets, getPet] },
];

export const v1Operations = v1Features.flatMap(({ operations }) => operations);
