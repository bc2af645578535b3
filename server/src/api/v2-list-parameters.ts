import {
  boolean,
  cursor,
  dateTime,
  int64,
  integer,
  oneOf,
  someOf,
  text,
  type ValuesOf,
} from '../http/content/parameters.ts';
import type { OrderFilter, OrderSort } from '../orders/order-pages.ts';
import { orderSorts } from '../orders/order-pages.ts';
import { isComplete, orderStatuses } from '../orders/states.ts';
import { MAX_CATEGORY } from './v2-bodies.ts';
import { shownPet } from './v2-examples.ts';

export const petStatuses = ['available', 'sold'] as const;

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 1000;

export const limit = integer('How many to answer with at the most.', 1, MAX_LIMIT, DEFAULT_LIMIT);

export const paging = {
  limit,
  cursor: cursor('The `nextCursor` of the page before; everything but `limit` must be as it was there.'),
};

export const orderParameters = {
  status: someOf('Only orders in one of these states.', 'OrderStatus', orderStatuses),
  petId: int64('Only orders for this pet.', shownPet.id),
  complete: boolean('Only orders that are delivered, or only those that are not.'),
  shipDateFrom: dateTime('Only orders whose ship date is this or later.', '2026-12-01T00:00:00Z'),
  shipDateTo: dateTime('Only orders whose ship date is before this.', '2027-01-01T00:00:00Z'),
  sort: oneOf(
    'What to sort by; `-` for descending. Orders of the same ship date are sorted by id.',
    'OrderSort',
    orderSorts,
  ),
  ...paging,
};

export const petParameters = {
  category: text('Only pets of this category.', MAX_CATEGORY, shownPet.category),
  status: oneOf(
    'Only pets of which some are left, or only those of which none is.',
    'PetStatus',
    petStatuses,
  ),
  ...paging,
};

/** `complete` is a statement about the state, so the two together are one set of states. */
export function filterOf(values: ValuesOf<typeof orderParameters>): { filter: OrderFilter; sort: OrderSort } {
  const { status = orderStatuses, complete } = values;
  const statuses = status.filter((state) => complete === undefined || isComplete(state) === complete);
  const filter = { statuses, petId: values.petId, from: values.shipDateFrom, to: values.shipDateTo };
  return { filter, sort: values.sort ?? 'id' };
}
