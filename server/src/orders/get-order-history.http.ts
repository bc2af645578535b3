import { notModified } from '../http/content/conditional.ts';
import { writeDateTime } from '../http/content/date-time.ts';
import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { found } from '../http/errors.ts';
import { pathId } from '../http/fields/parameters.ts';
import { answered, cachedAnswers } from '../http/openapi/document-parts.ts';
import { described, listOf, schemaRef, utcDateTime } from '../http/openapi/openapi.ts';
import { operation, type Services } from '../http/openapi/operation.ts';
import { orderStatuses } from '../vocabulary.ts';
import { findOrder, type Order } from './order.ts';
import { deliveredOrderExample, placedOrderExample, shippedOrderExample } from './shown-order.ts';
import { requireKnownStatus, states, statesUpTo } from './states.ts';

const historyExample = {
  data: [placedOrderExample, shippedOrderExample, deliveredOrderExample].map(({ status, updatedAt }) => ({
    status,
    at: updatedAt,
  })),
};

export const historySchemas = {
  OrderHistory: answered('Every state that an order was in.', {
    data: listOf('OrderHistoryEntry', orderStatuses.length, 'Oldest first.', { minItems: 1 }),
  }),
  OrderHistoryEntry: answered('One state that an order was in.', {
    status: schemaRef('OrderStatus'),
    at: described(utcDateTime, 'When it entered that state. UTC.', placedOrderExample.placedAt),
  }),
};

export const getOrderHistory = operation({
  operationId: 'getOrderHistory',
  at: 'GET /store/orders/{orderId}/history',
  summary: 'Read the history of an order',
  description: 'Every state it was in, oldest first, with the time it entered it.',
  // That order of the demonstration data is delivered.
  path: { orderId: pathId('order', 1) },
  answers: cachedAnswers('The history.', 'OrderHistory', historyExample),
  async handle({ request, storeId, orderId }, { db }: Services) {
    const order = found(await db.all(findOrder, { storeId, orderId }));
    return notModified(request) ?? jsonTextAnswer(request, writeHistory(order));
  },
});

/** Only one transition leads to each state, and the order's own dates tell when it was made. */
function writeHistory(order: Order): string {
  requireKnownStatus(order);
  const entries = statesUpTo(order.status).map(
    (status) => `{"status":"${status}","at":"${writeDateTime(order[states[status].since])}"}`,
  );
  return `{"data":[${entries}]}`;
}
