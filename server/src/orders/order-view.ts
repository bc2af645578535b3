import { orderStatuses } from '../domain/vocabulary.ts';
import { writeDateTime } from '../http/encoding/date-time.ts';
import { documentBody } from '../http/fields/body.ts';
import { documentView, serializer, type ViewFields } from '../http/fields/view-fields.ts';
import { described, int64Schema, schemaRef, utcDateTime } from '../http/openapi/openapi.ts';
import { enumeration } from '../http/openapi/schemas.ts';
import { pageSchema } from '../http/pages/paging.ts';
import { type Order, orderFields } from './order.ts';
import { orderSorts } from './order-pages.ts';
import { assertKnownStatus, states } from './states.ts';

/** Examples match the demonstration data: sent unchanged, they succeed on a new store. */
export const orderInputExample = { petId: 1, quantity: 2, shipDate: '2026-12-07T10:00:00Z' };
export const placedOrderExample = {
  id: 41,
  ...orderInputExample,
  shipDate: '2026-12-07T10:00:00.000Z',
  complete: false,
  status: 'pending',
  placedAt: '2026-12-01T09:30:00.000Z',
  updatedAt: '2026-12-01T09:30:00.000Z',
};
export const orderExample = { ...placedOrderExample, id: 2, petId: 11, quantity: 5 };
export const shippedOrderExample = {
  ...placedOrderExample,
  id: 4,
  petId: 9,
  quantity: 4,
  shipDate: '2026-12-07T08:15:00.000Z',
  status: 'shipped',
  updatedAt: '2026-12-07T08:15:00.000Z',
};
export const deliveredOrderExample = {
  ...shippedOrderExample,
  id: 3,
  petId: 4,
  quantity: 2,
  complete: true,
  status: 'delivered',
  updatedAt: '2026-12-09T14:00:00.000Z',
};

type Name = keyof typeof placedOrderExample;

function field(name: Name, schema: object, description: string, write: (order: Order) => string) {
  return { schema: described(schema, description, placedOrderExample[name]), write };
}

function date(name: Name, column: 'ship_date' | 'placed_at' | 'updated_at', description: string) {
  return field(name, utcDateTime, description, (order) => `"${writeDateTime(order[column])}"`);
}

export const orderViewFields = {
  id: field('id', int64Schema, 'Unique order id.', ({ id }) => `${id}`),
  petId: field('petId', int64Schema, 'Id of the ordered pet.', ({ pet_id }) => `${pet_id}`),
  quantity: field(
    'quantity',
    orderFields.quantity.schema,
    'Number of units ordered.',
    ({ quantity }) => `${quantity}`,
  ),
  shipDate: date(
    'shipDate',
    'ship_date',
    'The expected ship date; once the order has shipped, the actual one. UTC.',
  ),
  complete: field(
    'complete',
    { type: 'boolean' },
    'Whether the order has been delivered.',
    ({ status }) => `${states[status].isComplete}`,
  ),
  status: { schema: schemaRef('OrderStatus'), write: ({ status }) => `"${status}"` },
  placedAt: date('placedAt', 'placed_at', 'When the order was placed. UTC.'),
  updatedAt: date('updatedAt', 'updated_at', 'When the status last changed. UTC.'),
} satisfies ViewFields<Order>;

const writeFields = serializer(orderViewFields);

export function writeOrder(order: Order): string {
  assertKnownStatus(order);
  return writeFields(order);
}

export const orderSchemas = {
  Order: documentView('An order.', orderViewFields),
  OrderStatus: enumeration('Status of the order.', orderStatuses),
  // No `default`: together with `x-enum-varnames`, it would break generated Kotlin clients.
  OrderSort: enumeration('Sort order, `id` by default; `-` for descending.', orderSorts, [
    'ID_ASCENDING',
    'ID_DESCENDING',
    'SHIP_DATE_ASCENDING',
    'SHIP_DATE_DESCENDING',
  ]),
  OrderPage: pageSchema('A page of orders.', 'Order'),
  OrderInput: documentBody(orderFields, 'An order to place. Accepts no other fields.'),
};
