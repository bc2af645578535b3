import { writeDateTime } from '../http/content/date-time.ts';
import { documentBody } from '../http/fields/body.ts';
import { dateTime, int64 as int64Field, integer, optional } from '../http/fields/field.ts';
import { answered, enumeration } from '../http/openapi/document-parts.ts';
import { int64, schemaRef, utcDateTime } from '../http/openapi/openapi.ts';
import { pageSchema } from '../http/pages/page-schema.ts';
import { orderStatuses } from '../vocabulary.ts';
import type { Order } from './order.ts';
import { orderSorts } from './order-pages.ts';
import { isComplete, requireKnownStatus } from './states.ts';

/** How version 2 takes, shows and documents an order. */

const MAX_QUANTITY = 1000;

/** Examples are of the demonstration data: sent as they are, requests succeed on a new store. */
export const orderInput = { petId: 1, quantity: 2, shipDate: '2026-12-07T10:00:00Z' };
export const placedOrder = {
  id: 41,
  ...orderInput,
  shipDate: '2026-12-07T10:00:00.000Z',
  complete: false,
  status: 'pending',
  placedAt: '2026-12-01T09:30:00.000Z',
  updatedAt: '2026-12-01T09:30:00.000Z',
};
/** A pending order of a new store. */
export const shownOrder = { ...placedOrder, id: 2, petId: 11, quantity: 5 };
export const shippedOrder = {
  ...placedOrder,
  id: 4,
  petId: 9,
  quantity: 4,
  shipDate: '2026-12-07T08:15:00.000Z',
  status: 'shipped',
  updatedAt: '2026-12-07T08:15:00.000Z',
};
export const deliveredOrder = {
  ...shippedOrder,
  id: 3,
  petId: 4,
  quantity: 2,
  complete: true,
  status: 'delivered',
  updatedAt: '2026-12-09T14:00:00.000Z',
};

export const orderFields = {
  petId: int64Field('Identifier of the pet to order.', orderInput.petId),
  quantity: integer('int32', [1, MAX_QUANTITY], 'Number of units.', orderInput.quantity),
  shipDate: optional(dateTime('When to ship; by default three days from now.', orderInput.shipDate)),
};

/** Cancelled orders are shown, too. */
export function writeOrder(order: Order): string {
  requireKnownStatus(order);
  return (
    `{"id":${order.id},"petId":${order.pet_id},"quantity":${order.quantity},` +
    `"shipDate":"${writeDateTime(order.ship_date)}","complete":${isComplete(order.status)},` +
    `"status":"${order.status}","placedAt":"${writeDateTime(order.placed_at)}",` +
    `"updatedAt":"${writeDateTime(order.updated_at)}"}`
  );
}

export const orderSchemas = {
  Order: answered('An order.', {
    id: { ...int64, description: 'Unique order identifier.', examples: [placedOrder.id] },
    petId: {
      ...int64,
      description: 'Identifier of the animal in this order.',
      examples: [placedOrder.petId],
    },
    quantity: {
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: MAX_QUANTITY,
      description: 'Number of units ordered.',
      examples: [placedOrder.quantity],
    },
    shipDate: {
      ...utcDateTime,
      description: 'The expected ship date; from shipping on, the actual one. UTC.',
      examples: [placedOrder.shipDate],
    },
    complete: {
      type: 'boolean',
      description: 'Whether the order has been delivered.',
      example: placedOrder.complete,
    },
    status: schemaRef('OrderStatus'),
    placedAt: { ...utcDateTime, description: 'When it was placed. UTC.', examples: [placedOrder.placedAt] },
    updatedAt: {
      ...utcDateTime,
      description: 'When it last changed its state. UTC.',
      examples: [placedOrder.updatedAt],
    },
  }),
  OrderStatus: enumeration(
    'The state that an order is in.',
    orderStatuses,
    orderStatuses.map((status) => status.toUpperCase()),
  ),
  // A default would not compile in Kotlin beside names of the values.
  OrderSort: enumeration('What orders are sorted by, `id` by default; `-` for descending.', orderSorts, [
    'ID_ASCENDING',
    'ID_DESCENDING',
    'SHIP_DATE_ASCENDING',
    'SHIP_DATE_DESCENDING',
  ]),
  OrderPage: pageSchema('One page of orders.', 'Order'),
  OrderInput: documentBody(orderFields, 'An order to place. It has no other fields.'),
};
