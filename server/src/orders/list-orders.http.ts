import { notModified } from '../http/content/conditional.ts';
import { boolean, dateTime, int64, oneOf, someOf } from '../http/fields/field.ts';
import { cachedPage } from '../http/openapi/document-parts.ts';
import { schemaRef } from '../http/openapi/openapi.ts';
import { operation, type Services } from '../http/openapi/operation.ts';
import { cursorExample, DEFAULT_LIMIT, invalidQuery, paging } from '../http/pages/paging.ts';
import { orderStatuses } from '../vocabulary.ts';
import { isDateRangeById, orderPage, orderSorts } from './order-pages.ts';
import { orderExample, writeOrder } from './shown-order.ts';
import { states } from './states.ts';

/** A page of so many is read and written in well under a millisecond. */
const SHORT_PAGE = 100n;

export const listOrders = operation({
  operationId: 'listOrders',
  at: 'GET /store/orders',
  summary: 'List orders, by page',
  description: 'Orders that satisfy all filters, cancelled ones included.',
  query: {
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
  },
  answers: {
    ...cachedPage('OrderPage', { data: [orderExample], nextCursor: cursorExample }, 'OrdersLink'),
    400: invalidQuery,
  },
  handle({ request, storeId, query }, { db, cursors, answerPage }: Services) {
    const { status = orderStatuses, complete, petId, shipDateFrom: from, shipDateTo: to } = query;
    const { sort = 'id', limit = BigInt(DEFAULT_LIMIT), cursor } = query;
    // `complete` is a statement about the state, so the two together are one set of states.
    const statuses = status.filter((one) => complete === undefined || states[one].isComplete === complete);
    const purpose = `orders ${storeId} ${sort} ${statuses} ${petId} ${from} ${to}`;
    const after = cursor === undefined ? undefined : cursors.read(purpose, cursor);
    const unchanged = notModified(request);
    if (unchanged) return unchanged;
    const asked = { storeId, statuses, petId, from, to, sort, after };
    return answerPage(request, {
      limit,
      slices: orderPage(db, { ...asked, limit: limit + 1n }),
      isShort: limit <= SHORT_PAGE && !isDateRangeById(asked),
      write: writeOrder,
      cursorAfter: (last) => cursors.write(purpose, [last.ship_date, last.id]),
    });
  },
});
