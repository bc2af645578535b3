import { notModified } from '../http/content/conditional.ts';
import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { found } from '../http/errors.ts';
import { pathId } from '../http/fields/parameters.ts';
import { cachedAnswers } from '../http/openapi/document-parts.ts';
import { operation, type Services } from '../http/openapi/operation.ts';
import { findOrder } from './order.ts';
import { orderExample, writeOrder } from './shown-order.ts';

export const getOrder = operation({
  operationId: 'getOrder',
  at: 'GET /store/orders/{orderId}',
  summary: 'Read one order',
  description: 'Also when it is cancelled.',
  path: { orderId: pathId('order', orderExample.id) },
  answers: cachedAnswers('The order.', 'Order', orderExample),
  async handle({ request, storeId, orderId }, { db }: Services) {
    const order = found(await db.all(findOrder, { storeId, orderId }));
    return notModified(request) ?? jsonTextAnswer(request, writeOrder(order));
  },
});
