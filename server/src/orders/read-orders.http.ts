import { orderStatuses } from '../domain/vocabulary.ts';
import { notModified } from '../http/content/negotiation.ts';
import { respondFromCache } from '../http/content/response-cache.ts';
import { writeDateTime } from '../http/encoding/date-time.ts';
import { firstOrNotFound } from '../http/errors.ts';
import { boolean, dateTime, int64, oneOf, someOf } from '../http/fields/field.ts';
import { pathId } from '../http/fields/parameters.ts';
import { described, listOf, schemaRef, utcDateTime } from '../http/openapi/openapi.ts';
import { cacheableResponses, cachedPage, responseSchema } from '../http/openapi/responses.ts';
import { operation, type Services } from '../http/operations/operation.ts';
import { cursorExample, DEFAULT_LIMIT, invalidQuery, paging } from '../http/pages/paging.ts';
import { findOrder, type Order } from './order.ts';
import { isDateRangeById, orderPage, orderSorts } from './order-pages.ts';
import {
  deliveredOrderExample,
  orderExample,
  placedOrderExample,
  shippedOrderExample,
  writeOrder,
} from './order-view.ts';
import { assertKnownStatus, states, statesUpTo } from './states.ts';

/** A page of up to this many orders takes well under a millisecond. */
const SHORT_PAGE = 100n;

export const listOrders = operation({
  operationId: 'listOrders',
  at: 'GET /store/orders',
  summary: 'List orders',
  description: 'Returns a page of the orders that match all filters, including cancelled orders.',
  query: {
    status: someOf('Only orders with one of these statuses.', schemaRef('OrderStatus'), orderStatuses),
    petId: int64('Only orders for this pet.', 1),
    complete: boolean('`true` for delivered orders only, `false` for all others.', false),
    shipDateFrom: dateTime('Only orders with a ship date at or after this time.', '2026-12-01T00:00:00Z'),
    shipDateTo: dateTime('Only orders with a ship date before this time.', '2027-01-01T00:00:00Z'),
    sort: oneOf(
      'Sort order; `-` for descending. Orders with the same ship date are sorted by id.',
      schemaRef('OrderSort'),
      orderSorts,
    ),
    ...paging,
  },
  responses: {
    ...cachedPage('OrderPage', { data: [orderExample], nextCursor: cursorExample }, 'OrdersLink'),
    400: invalidQuery,
  },
  handle({ request, storeId, query }, { db, cursors, respondWithPage }: Services) {
    const { status = orderStatuses, complete, petId, shipDateFrom: from, shipDateTo: to } = query;
    const { sort = 'id', limit = BigInt(DEFAULT_LIMIT), cursor } = query;
    const statuses = status.filter((one) => complete === undefined || states[one].isComplete === complete);
    const purpose = `orders ${storeId} ${sort} ${statuses} ${petId} ${from} ${to}`;
    const after = cursor === undefined ? undefined : cursors.read(purpose, cursor);
    const unchanged = notModified(request);
    if (unchanged) return unchanged;
    const asked = { storeId, statuses, petId, from, to, sort, after };
    return respondWithPage(request, {
      limit,
      slices: orderPage(db, { ...asked, limit: limit + 1n }),
      isShort: limit <= SHORT_PAGE && !isDateRangeById(asked),
      write: writeOrder,
      cursorAfter: (last) => cursors.write(purpose, [last.ship_date, last.id]),
    });
  },
});

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

/** Derived: one transition leads to each status, and a column holds its time. */
function writeHistory(order: Order): string {
  assertKnownStatus(order);
  const entries = statesUpTo(order.status).map(
    (status) => `{"status":"${status}","at":"${writeDateTime(order[states[status].since])}"}`,
  );
  return `{"data":[${entries}]}`;
}
