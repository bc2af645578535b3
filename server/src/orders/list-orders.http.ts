import { notModified } from '../http/content/conditional.ts';
import { boolean, dateTime, int64, oneOf, someOf } from '../http/fields/field.ts';
import type { QueryOf } from '../http/fields/parameters.ts';
import { cachedPage } from '../http/openapi/document-parts.ts';
import { schemaRef } from '../http/openapi/openapi.ts';
import { operation } from '../http/openapi/operation.ts';
import { cursorExample, DEFAULT_LIMIT, invalidQuery, paging } from '../http/pages/paging.ts';
import type { Services } from '../http/services.ts';
import { orderStatuses } from '../vocabulary.ts';
import { isDateRangeById, type OrderFilter, type OrderSort, orderPage, orderSorts } from './order-pages.ts';
import { orderExample, writeOrder } from './shown-order.ts';
import { states } from './states.ts';

/** A page of so many is read and written in well under a millisecond. */
const SHORT_PAGE = 100n;

const parameters = {
  status: someOf('Only orders in one of these states.', schemaRef('OrderStatus'), orderStatuses),
  petId: int64('Only orders for this pet.', 1),
  complete: boolean('Only orders that are delivered, or only those that are not.', false),
  shipDateFrom: dateTime('Only orders whose ship date is this or later.', '2026-12-01T00:00:00Z'),
  shipDateTo: dateTime('Only orders whose ship date is before this.', '2027-01-01T00:00:00Z'),
  sort: oneOf(
    'What to sort by; `-` for descending. Orders of the same ship date are sorted by id.',
    schemaRef('OrderSort'),
    orderSorts,
  ),
  ...paging,
};

export const listOrders = operation({
  operationId: 'listOrders',
  at: 'GET /store/orders',
  summary: 'List orders, by page',
  description: 'Orders that satisfy all filters, cancelled ones included.',
  query: parameters,
  answers: {
    ...cachedPage('OrderPage', { data: [orderExample], nextCursor: cursorExample }, 'OrdersLink'),
    400: invalidQuery,
  },
  handle:
    ({ db, cursors, answerPage }: Services) =>
    ({ request, caller: { storeId }, query }) => {
      const { filter, sort } = filterOf(query);
      const purpose = `orders ${storeId} ${sort} ${filter.statuses} ${filter.petId} ${filter.from} ${filter.to}`;
      const after = query.cursor === undefined ? undefined : cursors.read(purpose, query.cursor);
      const limit = query.limit ?? BigInt(DEFAULT_LIMIT);
      const unchanged = notModified(request);
      if (unchanged) return unchanged;
      return answerPage(request, {
        limit,
        slices: orderPage(db, { storeId, filter, sort, after, limit: limit + 1n }),
        isShort: limit <= SHORT_PAGE && !isDateRangeById({ filter, sort }),
        write: writeOrder,
        cursorAfter: (last) => cursors.write(purpose, [last.ship_date, last.id]),
      });
    },
});

/** `complete` is a statement about the state, so the two together are one set of states. */
function filterOf(values: QueryOf<typeof parameters>): { filter: OrderFilter; sort: OrderSort } {
  const { status = orderStatuses, complete } = values;
  const statuses = status.filter((state) => complete === undefined || states[state].isComplete === complete);
  const filter = { statuses, petId: values.petId, from: values.shipDateFrom, to: values.shipDateTo };
  return { filter, sort: values.sort ?? 'id' };
}
