import { jsonTextResponse } from '../http/content/negotiation.ts';
import { pathId } from '../http/fields/parameters.ts';
import { errorResponse, links, response, standardHeaders } from '../http/openapi/responses.ts';
import { operation, type Services } from '../http/operations/operation.ts';
import { cancelOrder, deliverOrder, shipOrder } from './change-status.ts';
import { deliveredOrderExample, orderExample, shippedOrderExample, writeOrder } from './order-view.ts';
import { domainErrorsOf } from './states.ts';

export const cancelOrderOperation = operation({
  operationId: 'cancelOrder',
  at: 'DELETE /store/orders/{orderId}',
  summary: 'Cancel an order',
  description: 'Only a pending order can be cancelled. Its units return to stock.',
  path: { orderId: pathId('order', orderExample.id) },
  responses: {
    204: { description: 'The order is cancelled.', headers: standardHeaders },
    409: errorResponse('The order is no longer pending.', domainErrorsOf('cancel')),
  },
  async handle({ request, storeId, orderId }, { writer, effectiveTime }: Services) {
    await writer.apply(cancelOrder, { storeId, orderId, at: BigInt(effectiveTime(request)) });
    return { status: 204 };
  },
});

export const shipOrderOperation = operation({
  operationId: 'shipOrder',
  at: 'POST /store/orders/{orderId}/ship',
  summary: 'Ship an order',
  description: 'Sets the ship date to the current time.',
  path: { orderId: pathId('order', shippedOrderExample.id) },
  responses: {
    200: { ...response('The shipped order.', 'Order', shippedOrderExample), links: links('DeliverOrder') },
    409: errorResponse('The order is not pending.', domainErrorsOf('ship')),
  },
  async handle({ request, storeId, orderId }, { writer, effectiveTime }: Services) {
    const order = await writer.apply(shipOrder, { storeId, orderId, at: BigInt(effectiveTime(request)) });
    return jsonTextResponse(request, writeOrder(order));
  },
});

export const deliverOrderOperation = operation({
  operationId: 'deliverOrder',
  at: 'POST /store/orders/{orderId}/deliver',
  summary: 'Deliver an order',
  description: 'Completes a shipped order.',
  path: { orderId: pathId('order', deliveredOrderExample.id) },
  responses: {
    200: response('The delivered order.', 'Order', deliveredOrderExample),
    409: errorResponse('The order is not shipped.', domainErrorsOf('deliver')),
  },
  async handle({ request, storeId, orderId }, { writer, effectiveTime }: Services) {
    const order = await writer.apply(deliverOrder, { storeId, orderId, at: BigInt(effectiveTime(request)) });
    return jsonTextResponse(request, writeOrder(order));
  },
});
