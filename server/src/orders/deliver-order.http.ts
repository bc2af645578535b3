import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { pathId } from '../http/fields/parameters.ts';
import { answer, errorAnswer } from '../http/openapi/document-parts.ts';
import { operation, type Services } from '../http/openapi/operation.ts';
import { deliverOrder } from './change-status.ts';
import { deliveredOrderExample, writeOrder } from './shown-order.ts';
import { refusalsOf } from './states.ts';

export const deliverOrderOperation = operation({
  operationId: 'deliverOrder',
  at: 'POST /store/orders/{orderId}/deliver',
  summary: 'Deliver an order',
  description: 'Completes a shipped order. Takes no body.',
  path: { orderId: pathId('order', deliveredOrderExample.id) },
  answers: {
    200: answer('The order, delivered.', 'Order', deliveredOrderExample),
    409: errorAnswer('The order is not shipped.', refusalsOf('deliver')),
  },
  async handle({ request, storeId, orderId }, { writer, momentOf }: Services) {
    const order = await writer.apply(deliverOrder, { storeId, orderId, at: BigInt(momentOf(request)) });
    return jsonTextAnswer(request, writeOrder(order));
  },
});
