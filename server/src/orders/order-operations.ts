import {
  COMPLETED_ORDER_ID,
  deliveredOrder,
  orderHistory,
  orderInput,
  orderPage,
  placedOrder,
  shippedOrder,
  shownOrder,
} from '../api/v2-examples.ts';
import { orderParameters } from '../api/v2-list-parameters.ts';
import { documentParameters } from '../http/content/parameters.ts';
import { anyOperationAnswers, forbidden, notFound, notModifiedAnswer } from '../http/openapi/answers.ts';
import {
  answer,
  beta,
  bodyAnswers,
  errorAnswer,
  ifNoneMatch,
  invalidQuery,
  links,
  page,
  pathId,
} from '../http/openapi/document-parts.ts';
import { caching, everyAnswer } from '../http/openapi/headers.ts';
import { headerRef, json, schemaRef } from '../http/openapi/openapi.ts';

const orderId = (example: number) => pathId('orderId', 'order', example);
const tags = ['orders'];

/** The order operations, as the document has them. */
export const orderPaths = {
  '/store/orders': {
    get: {
      operationId: 'listOrders',
      ...beta,
      tags,
      summary: 'List orders, by page',
      description: 'Orders that satisfy all filters, cancelled ones included.',
      parameters: [...documentParameters(orderParameters), ifNoneMatch],
      responses: {
        200: page('OrderPage', orderPage, 'OrdersLink'),
        304: notModifiedAnswer(),
        ...anyOperationAnswers,
        400: invalidQuery,
      },
    },
    post: {
      operationId: 'placeOrder',
      ...beta,
      tags,
      summary: 'Place an order',
      description:
        'Takes the units from the stock of the pet. With an `Idempotency-Key`, a retry with the same body gets the first answer again instead of a second order.',
      parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
      requestBody: { required: true, ...json(schemaRef('OrderInput'), orderInput) },
      responses: {
        201: {
          ...answer('The order is placed.', 'Order', placedOrder, {
            ...everyAnswer,
            Location: headerRef('OrderLocation'),
            'Idempotent-Replayed': headerRef('IdempotentReplayed'),
          }),
          links: links('GetOrder', 'ShipOrder', 'CancelOrder', 'GetOrderHistory'),
        },
        ...anyOperationAnswers,
        ...forbidden,
        ...bodyAnswers,
        400: errorAnswer('The body or the `Idempotency-Key` is not valid.', [
          'invalid_body',
          'invalid_parameter',
        ]),
        409: errorAnswer(
          'Not enough stock, as many orders as a store may have, or the same `Idempotency-Key` is still under way.',
          ['insufficient_stock', 'order_limit_reached', 'idempotency_key_in_use'],
        ),
        422: errorAnswer('No such pet, or the `Idempotency-Key` was used for another body.', [
          'unknown_pet',
          'idempotency_key_reused',
        ]),
      },
    },
  },
  '/store/orders/{orderId}': {
    get: {
      operationId: 'getOrder',
      ...beta,
      tags,
      summary: 'Read one order',
      description: 'Also when it is cancelled.',
      parameters: [orderId(shownOrder.id), ifNoneMatch],
      responses: {
        200: answer('The order.', 'Order', shownOrder, caching),
        304: notModifiedAnswer(),
        ...anyOperationAnswers,
        ...notFound,
      },
    },
    delete: {
      operationId: 'cancelOrder',
      ...beta,
      tags,
      summary: 'Cancel an order',
      description: 'Only a pending order can be cancelled. Its units go back to the stock of the pet.',
      parameters: [orderId(shownOrder.id)],
      responses: {
        204: { description: 'The order is cancelled.', headers: everyAnswer },
        ...anyOperationAnswers,
        ...forbidden,
        ...notFound,
        409: errorAnswer('The order is not pending any more.', [
          'order_already_shipped',
          'order_already_cancelled',
        ]),
      },
    },
  },
  '/store/orders/{orderId}/ship': {
    post: {
      operationId: 'shipOrder',
      ...beta,
      tags,
      summary: 'Ship an order',
      description: 'Its ship date becomes the moment it shipped. Takes no body.',
      parameters: [orderId(shippedOrder.id)],
      responses: {
        200: { ...answer('The order, shipped.', 'Order', shippedOrder), links: links('DeliverOrder') },
        ...anyOperationAnswers,
        ...forbidden,
        ...notFound,
        409: errorAnswer('The order is not pending.', ['invalid_transition']),
      },
    },
  },
  '/store/orders/{orderId}/deliver': {
    post: {
      operationId: 'deliverOrder',
      ...beta,
      tags,
      summary: 'Deliver an order',
      description: 'Completes a shipped order. Takes no body.',
      parameters: [orderId(deliveredOrder.id)],
      responses: {
        200: answer('The order, delivered.', 'Order', deliveredOrder),
        ...anyOperationAnswers,
        ...forbidden,
        ...notFound,
        409: errorAnswer('The order is not shipped.', ['invalid_transition']),
      },
    },
  },
  '/store/orders/{orderId}/history': {
    get: {
      operationId: 'getOrderHistory',
      ...beta,
      tags,
      summary: 'Read the history of an order',
      description: 'Every state it was in, oldest first, with the time it entered it.',
      parameters: [orderId(COMPLETED_ORDER_ID), ifNoneMatch],
      responses: {
        200: answer('The history.', 'OrderHistory', orderHistory, caching),
        304: notModifiedAnswer(),
        ...anyOperationAnswers,
        ...notFound,
      },
    },
  },
} as const;
