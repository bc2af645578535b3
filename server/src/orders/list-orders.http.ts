import { notModified } from '../http/content/negotiation.ts';
import { documentBody } from '../http/fields/body.ts';
import { allOptional, oneOf } from '../http/fields/field.ts';
import { type QueryOf, readQueryBody } from '../http/fields/parameters.ts';
import { headerRef, json, schemaRef } from '../http/openapi/openapi.ts';
import { cacheableResponses, errorResponse } from '../http/openapi/responses.ts';
import { operation, type Services } from '../http/operations/operation.ts';
import { cursorExample, DEFAULT_LIMIT, invalidQuery, paging } from '../http/pages/paging.ts';
import type { Request, Response } from '../http/server/request.ts';
import { orderFilterFields, readFilters } from './order-filters.ts';
import { isServedByIndex, orderPage, orderSorts } from './order-pages.ts';
import { orderExample, writeOrder } from './order-view.ts';

/** A page of up to this many orders takes well under a millisecond. */
const SHORT_PAGE = 100n;

const parameters = {
  ...orderFilterFields,
  sort: oneOf(
    'Sort order; `-` for descending. Orders with the same ship date are sorted by id, in the same direction.',
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
  query: parameters,
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
    read: (body) => readQueryBody(parameters, body),
    content: json(
      documentBody(allOptional(parameters), 'The parameters of `GET`. Accepts no other fields.'),
      {
        status: ['pending'],
        sort: '-shipDate',
      },
    ),
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
  given: QueryOf<typeof parameters> & { readonly storeId: bigint },
  query?: string,
): Response | Promise<Response> {
  const { storeId, sort = 'id', limit = BigInt(DEFAULT_LIMIT), cursor, ...filters } = given;
  const { statuses, values } = readFilters(filters);
  const purpose = `orders ${storeId} ${sort} ${statuses} ${Object.values(values).map(String).join(' ')}`;
  const after = cursor === undefined ? undefined : cursors.read(purpose, cursor);
  const unchanged = notModified(request);
  if (unchanged) return unchanged;
  const page = { storeId, statuses, values, sort, after };
  return respondWithPage(request, {
    name: 'orders',
    limit,
    slices: orderPage(db, { ...page, limit: limit + 1n }),
    isShort: limit <= SHORT_PAGE && isServedByIndex(page),
    write: writeOrder,
    cursorAfter: (last) => cursors.write(purpose, [last.ship_date, last.id]),
    query,
  });
}
