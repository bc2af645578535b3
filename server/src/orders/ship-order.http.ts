import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { pathId } from '../http/fields/parameters.ts';
import { answer, errorAnswer, links } from '../http/openapi/document-parts.ts';
import { operation, type Services } from '../http/openapi/operation.ts';
import { shipOrder } from './change-status.ts';
import { shippedOrderExample, writeOrder } from './shown-order.ts';
import { refusalsOf } from './states.ts';

export const shipOrderOperation = operation({
  operationId: 'shipOrder',
  at: 'POST /store/orders/{orderId}/ship',
  summary: 'Ship an order',
  description: 'Its ship date becomes the moment it shipped. Takes no body.',
  path: { orderId: pathId('order', shippedOrderExample.id) },
  answers: {
    200: { ...answer('The order, shipped.', 'Order', shippedOrderExample), links: links('DeliverOrder') },
    409: errorAnswer('The order is not pending.', refusalsOf('ship')),
  },
  async handle({ request, storeId, orderId }, { writer, momentOf }: Services) {
    const order = await writer.apply(shipOrder, { storeId, orderId, at: BigInt(momentOf(request)) });
    return jsonTextAnswer(request, writeOrder(order));
  },
});
