import { linkTo, locationHeader } from '../http/operations/operation.ts';
import { nextLinkHeader } from '../http/pages/paging.ts';
import { cancelOrderOperation, deliverOrderOperation, shipOrderOperation } from './change-status.http.ts';
import { listOrders, queryOrders } from './list-orders.http.ts';
import { orderSchemas, placedOrderExample } from './order-view.ts';
import { idempotencyKeyParameter, placeOrderOperation } from './place-order.http.ts';
import { getOrder, getOrderHistory, historySchemas } from './read-orders.http.ts';

export const ordersFeature = {
  tag: 'orders',
  stability: 'beta',
  operations: [
    listOrders,
    queryOrders,
    placeOrderOperation,
    getOrder,
    cancelOrderOperation,
    shipOrderOperation,
    deliverOrderOperation,
    getOrderHistory,
  ],
  schemas: { ...orderSchemas, ...historySchemas },
  parameters: { IdempotencyKey: idempotencyKeyParameter },
  headers: {
    OrdersLink: nextLinkHeader('/v2/store/orders'),
    AcceptQuery: {
      description: 'Content type that `QUERY` accepts on this path (RFC 10008).',
      schema: { type: 'string', const: 'application/json' },
      example: 'application/json',
    },
    OrderLocation: locationHeader(`/v2/store/orders/${placedOrderExample.id}`),
    IdempotentReplayed: {
      description:
        '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.',
      schema: { type: 'string', enum: ['true'] },
      example: 'true',
    },
  },
  links: {
    GetOrder: linkTo('getOrder', 'orderId', 'Get the order.'),
    ShipOrder: linkTo('shipOrder', 'orderId', 'Ship the order.'),
    DeliverOrder: linkTo('deliverOrder', 'orderId', 'Deliver the order.'),
    CancelOrder: linkTo('cancelOrder', 'orderId', 'Cancel the order.'),
    GetOrderHistory: linkTo('getOrderHistory', 'orderId', 'Get the status history of the order.'),
  },
};
