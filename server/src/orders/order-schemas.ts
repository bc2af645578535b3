import { MAX_QUANTITY } from '../api/v2-bodies.ts';
import { placedOrder } from '../api/v2-examples.ts';
import { answered, enumeration } from '../http/openapi/document-parts.ts';
import { int64, schemaRef, utcDateTime } from '../http/openapi/openapi.ts';
import { pageSchema } from '../http/pages/page-schema.ts';
import { orderSorts } from './order-pages.ts';
import { orderStatuses } from './states.ts';

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
  OrderHistory: answered('Every state that an order was in.', {
    data: {
      type: 'array',
      items: schemaRef('OrderHistoryEntry'),
      minItems: 1,
      maxItems: orderStatuses.length,
      description: 'Oldest first.',
    },
  }),
  OrderHistoryEntry: answered('One state that an order was in.', {
    status: schemaRef('OrderStatus'),
    at: { ...utcDateTime, description: 'When it entered that state. UTC.', examples: [placedOrder.placedAt] },
  }),
};
