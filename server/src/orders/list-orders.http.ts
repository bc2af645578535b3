import { orderStatuses } from '../domain/vocabulary.ts';
import { notModified } from '../http/content/negotiation.ts';
import { documentBody } from '../http/fields/body.ts';
import { allOptional, boolean, dateTime, int64, oneOf, someOf } from '../http/fields/field.ts';
import { type QueryOf, readQueryBody } from '../http/fields/parameters.ts';
import { headerRef, json, schemaRef } from '../http/openapi/openapi.ts';
import { cacheableResponses, errorResponse } from '../http/openapi/responses.ts';
import { operation, type Services } from '../http/operations/operation.ts';
import { cursorExample, DEFAULT_LIMIT, invalidQuery, paging } from '../http/pages/paging.ts';
import type { Request, Response } from '../http/server/request.ts';
import { isDateRangeById, orderPage, orderSorts } from './order-pages.ts';
import { orderExample, writeOrder } from './order-view.ts';
import { states } from './states.ts';

/** A page of up to this many orders takes well under a millisecond. */
const SHORT_PAGE = 100n;

const filters = {
  status: someOf('Only orders with one of these statuses.', schemaRef('OrderStatus'), orderStatuses),
  petId: int64('Only orders for this pet.', 1),
  complete: boolean('`true` for delivered orders only, `false` for all others.', false),
  shipDateFrom: dateTime('Only orders with a ship date at or after this time.', '2026-12-01T00:00:00Z'),
  shipDateTo: dateTime('Only orders with a ship date before this time.', '2027-01-01T00:00:00Z'),
  sort: oneOf(
    'Sort order; `-` for descending. Orders with the same ship date are sorted by id.',
    schemaRef('OrderSort'),
    orderSorts,
  ),
  ...paging,
};

const pageOfOrders = cacheableResponses(
  'A page of orders.',
  'OrderPage',
  { data: [orderExample], nextCursor: cursorExample },
  { Link: headerRef('OrdersLink'), 'Accept-Query': headerRef('AcceptQuery') },
);

export const listOrders = operation({
  operationId: 'listOrders',
  at: 'GET /store/orders',
  summary: 'List orders',
  description: 'Returns a page of the orders that match all filters, including cancelled orders.',
  query: filters,
  responses: { ...pageOfOrders, 400: invalidQuery },
  handle: ({ request, storeId, query }, services: Services) =>
    respondWithOrders(request, services, { ...query, storeId }),
});

export const queryOrders = operation({
  operationId: 'queryOrders',
  at: 'QUERY /store/orders',
  summary: 'Query orders',
  description:
    'Like `GET`, with the parameters as a JSON object (RFC 10008): the same response, also for read-only keys. `status` is an array.',
  query: {},
  body: {
    read: (body) => readQueryBody(filters, body),
    content: json(documentBody(allOptional(filters), 'Filters. Accepts no other fields.'), {
      status: ['pending'],
      sort: '-shipDate',
    }),
  },
  responses: {
    ...pageOfOrders,
    400: errorResponse('The body, a parameter or the cursor is not valid.', [
      'invalid_body',
      'invalid_parameter',
      'invalid_cursor',
    ]),
  },
  handle: ({ request, storeId, body: { values, text } }, services: Services) =>
    respondWithOrders(request, services, { ...values, storeId }, text),
});

function respondWithOrders(
  request: Request,
  { db, cursors, respondWithPage }: Services,
  asked: QueryOf<typeof filters> & { readonly storeId: bigint },
  query?: string,
): Response | Promise<Response> {
  const { storeId, status = orderStatuses, complete, petId, shipDateFrom: from, shipDateTo: to } = asked;
  const { sort = 'id', limit = BigInt(DEFAULT_LIMIT), cursor } = asked;
  const statuses = status.filter((one) => complete === undefined || states[one].isComplete === complete);
  const purpose = `orders ${storeId} ${sort} ${statuses} ${petId} ${from} ${to}`;
  const after = cursor === undefined ? undefined : cursors.read(purpose, cursor);
  const unchanged = notModified(request);
  if (unchanged) return unchanged;
  const found = { storeId, statuses, petId, from, to, sort, after };
  return respondWithPage(request, {
    limit,
    slices: orderPage(db, { ...found, limit: limit + 1n }),
    isShort: limit <= SHORT_PAGE && !isDateRangeById(found),
    write: writeOrder,
    cursorAfter: (last) => cursors.write(purpose, [last.ship_date, last.id]),
    query,
  });
}
