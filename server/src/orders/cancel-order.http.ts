import { pathId } from '../http/fields/parameters.ts';
import { everyAnswer } from '../http/openapi/answers.ts';
import { errorAnswer } from '../http/openapi/document-parts.ts';
import { operation, type Services } from '../http/openapi/operation.ts';
import { cancelOrder } from './change-status.ts';
import { orderExample } from './shown-order.ts';
import { refusalsOf } from './states.ts';

export const cancelOrderOperation = operation({
  operationId: 'cancelOrder',
  at: 'DELETE /store/orders/{orderId}',
  summary: 'Cancel an order',
  description: 'Only a pending order can be cancelled. Its units go back to the stock of the pet.',
  path: { orderId: pathId('order', orderExample.id) },
  answers: {
    204: { description: 'The order is cancelled.', headers: everyAnswer },
    409: errorAnswer('The order is not pending any more.', refusalsOf('cancel')),
  },
  async handle({ request, storeId, orderId }, { writer, momentOf }: Services) {
    await writer.apply(cancelOrder, { storeId, orderId, at: BigInt(momentOf(request)) });
    return { status: 204 };
  },
});
