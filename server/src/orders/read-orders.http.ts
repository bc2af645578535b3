import { orderStatuses } from '../domain/vocabulary.ts';
import { respondFromCache } from '../http/content/response-cache.ts';
import { writeDateTime } from '../http/encoding/date-time.ts';
import { firstOrNotFound } from '../http/errors.ts';
import { pathId } from '../http/fields/parameters.ts';
import { described, listOf, schemaRef, utcDateTime } from '../http/openapi/openapi.ts';
import { cacheableResponses } from '../http/openapi/responses.ts';
import { responseSchema } from '../http/openapi/schemas.ts';
import { operation, type Services } from '../http/operations/operation.ts';
import { findOrder, type Order } from './order.ts';
import {
  deliveredOrderExample,
  orderExample,
  placedOrderExample,
  shippedOrderExample,
  writeOrder,
} from './order-view.ts';
import { assertKnownStatus, states, statesUpTo } from './states.ts';

export const getOrder = operation({
  operationId: 'getOrder',
  at: 'GET /store/orders/{orderId}',
  summary: 'Get an order',
  description: 'Returns the order, even if it is cancelled.',
  path: { orderId: pathId('order', orderExample.id) },
  responses: cacheableResponses('The order.', 'Order', orderExample),
  handle: ({ request, storeId, orderId }, { db, responses }: Services) =>
    respondFromCache(request, responses, `order ${orderId}`, async () =>
      writeOrder(firstOrNotFound(await db.all(findOrder, { storeId, orderId }))),
    ),
});

const historyExample = {
  data: [placedOrderExample, shippedOrderExample, deliveredOrderExample].map(({ status, updatedAt }) => ({
    status,
    at: updatedAt,
  })),
};

export const historySchemas = {
  OrderHistory: responseSchema('Status history of an order.', {
    data: listOf('OrderHistoryEntry', orderStatuses.length, 'Oldest first.', { minItems: 1 }),
  }),
  OrderHistoryEntry: responseSchema('A status and when the order reached it.', {
    status: schemaRef('OrderStatus'),
    at: described(utcDateTime, 'When the order reached this status. UTC.', placedOrderExample.placedAt),
  }),
};

export const getOrderHistory = operation({
  operationId: 'getOrderHistory',
  at: 'GET /store/orders/{orderId}/history',
  summary: 'Get the history of an order',
  description: 'Returns every status the order has had and when it reached it, oldest first.',
  // A delivered order of the demonstration data.
  path: { orderId: pathId('order', 1) },
  responses: cacheableResponses('The history.', 'OrderHistory', historyExample),
  handle: ({ request, storeId, orderId }, { db, responses }: Services) =>
    respondFromCache(request, responses, `history ${orderId}`, async () =>
      writeHistory(firstOrNotFound(await db.all(findOrder, { storeId, orderId }))),
    ),
});

/** Derived, not stored: at most one transition leads to each status, and a column holds its time. */
function writeHistory(order: Order): string {
  assertKnownStatus(order);
  const entries = statesUpTo(order.status).map(
    (status) => `{"status":"${status}","at":"${writeDateTime(order[states[status].since])}"}`,
  );
  return `{"data":[${entries}]}`;
}
