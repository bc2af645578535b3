import type { OrderFilter, OrderSort } from '../../orders/order-pages.ts';
import { orderSorts } from '../../orders/order-pages.ts';
import { orderStatuses } from '../../orders/states.ts';
import { boolean, dateTime, int64, integer, oneOf, someOf, text, type ValuesOf } from './parameters.ts';

export const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1000;

const paging = {
  limit: integer('How many to answer with at the most.', 1, MAX_LIMIT, DEFAULT_LIMIT),
  cursor: text('The `nextCursor` of the page before; everything but `limit` must be as it was there.', 200),
};

export const orderParameters = {
  status: someOf('Only orders in one of these states.', orderStatuses),
  petId: int64('Only orders for this pet.'),
  complete: boolean('Only orders that are delivered, or only those that are not.'),
  shipDateFrom: dateTime('Only orders whose ship date is this or later.', '2026-12-01T00:00:00Z'),
  shipDateTo: dateTime('Only orders whose ship date is before this.', '2027-01-01T00:00:00Z'),
  sort: oneOf(
    'What to sort by; `-` for descending. Orders of the same ship date are sorted by id.',
    orderSorts,
    'id',
  ),
  ...paging,
};

export const petParameters = {
  category: text('Only pets of this category.', 50),
  status: oneOf('Only pets of which some are left, or only those of which none is.', ['available', 'sold']),
  ...paging,
};

/** `complete` is a statement about the state, so the two together are one set of states. */
export function filterOf(values: ValuesOf<typeof orderParameters>): { filter: OrderFilter; sort: OrderSort } {
  const { status = orderStatuses, complete } = values;
  const statuses = status.filter((state) => complete === undefined || (state === 'delivered') === complete);
  const filter = { statuses, petId: values.petId, from: values.shipDateFrom, to: values.shipDateTo };
  return { filter, sort: values.sort ?? 'id' };
}
