import { editJson, rejectWith, succeed } from '../../../src/bugs/mutations.ts';
import { editQuery } from '../../../src/bugs/v2-pages.ts';
import { becomes, inStatus, type Mutant, rounded, without } from './changes.ts';
import { inPage, type Json } from './json-changes.ts';

const operation = 'v2.listOrders';
const hasCursor = (path: string) => path.includes('cursor=');

/** Lists of orders, and what becomes of an order. */
export const ofOrders: readonly Mutant[] = [
  {
    name: 'a page lacks its first order',
    noticedBy: 'v2.pages',
    operation,
    response: (response, forwarded, callService) => {
      if (hasCursor(forwarded.path))
        inPage((orders) => orders.slice(1)).response?.(response, forwarded, callService);
    },
  },
  { name: 'nothing links to the next page', noticedBy: 'v2.pages', operation, response: without('link') },
  {
    name: 'the last page links to a next one',
    noticedBy: 'v2.pages',
    operation,
    response: inStatus(200, ({ headers }) => {
      headers.link ??= '</v2/store/orders>; rel="next"';
    }),
  },
  {
    name: 'a page has one order more than `limit`',
    noticedBy: 'v2.pages',
    operation,
    ...editQuery((query) => {
      const limit = Number(query.get('limit'));
      if (limit > 0 && limit < 1000) query.set('limit', String(limit + 1));
    }),
  },
  {
    name: '`limit` is 20 where it is not given',
    noticedBy: 'v2.pages',
    operation,
    ...editQuery((query) => {
      if (!query.has('limit')) query.set('limit', '20');
    }),
  },
  {
    name: 'a `limit` beyond 1000 is 1000',
    noticedBy: 'v2.pages',
    operation,
    ...editQuery((query) => {
      if (Number(query.get('limit')) > 1000) query.set('limit', '1000');
    }),
  },
  {
    name: 'of a parameter that comes twice the first counts',
    noticedBy: 'v2.pages',
    operation,
    ...editQuery((query) => {
      for (const name of ['limit', 'petId', 'sort']) {
        if (query.getAll(name).length > 1) query.set(name, query.get(name) ?? '');
      }
    }),
  },
  {
    name: 'a wrong parameter is not named',
    noticedBy: 'v2.pages',
    operation,
    response: inStatus(400, (response) => {
      response.body = response.body.replace(/"message":"[^"]*"/, '"message":"No."');
    }),
  },
  {
    name: 'a foreign cursor is a wrong parameter',
    noticedBy: 'v2.pages',
    operation,
    response: inStatus(400, (response) => {
      response.body = response.body.replace('invalid_cursor', 'invalid_parameter');
    }),
  },
  { name: 'a page is never 304', noticedBy: 'v2.pages', operation, response: without('etag') },
  {
    name: '`shipDateFrom` is exclusive',
    noticedBy: 'v2.filters',
    operation,
    ...editQuery((query) => {
      const from = Date.parse(query.get('shipDateFrom') ?? '');
      if (from) query.set('shipDateFrom', new Date(from + 1).toISOString());
    }),
  },
  {
    name: '`sort` is ignored',
    noticedBy: 'v2.filters',
    operation,
    ...editQuery((query) => query.delete('sort')),
  },
  {
    name: 'orders of the same date come in ascending order, whatever the sort',
    noticedBy: 'v2.filters',
    operation,
    ...inPage((orders) => orders.toSorted((a, b) => sameDate(a, b) && Number(a.id) - Number(b.id))),
  },
  {
    name: 'cancelled orders are left out',
    noticedBy: 'v2.filters',
    operation,
    ...inPage((orders) => orders.filter(({ status }) => status !== 'cancelled')),
  },
  {
    name: '`complete` is ignored',
    noticedBy: 'v2.filters',
    operation,
    ...editQuery((query) => query.delete('complete')),
  },
  {
    name: '`petId` is rounded in the query',
    noticedBy: 'v2.sandbox',
    operation,
    ...editQuery((query) => {
      const id = query.get('petId') ?? '';
      if (/^\d+$/.test(id)) query.set('petId', rounded(id));
    }),
  },

  {
    name: 'a delivered order is not complete',
    noticedBy: 'v2.orders',
    operation: 'v2.deliverOrder',
    ...editJson<Json>(200, (order) => Object.assign(order, { complete: false })),
  },
  {
    name: 'an order that has shipped is cancelled',
    noticedBy: 'v2.orders',
    operation: 'v2.cancelOrder',
    response: inStatus(409, (response) => {
      if (response.body.includes('order_already_shipped')) succeed(response);
    }),
  },
  {
    name: 'an order that was cancelled is said to have shipped',
    noticedBy: 'v2.orders',
    operation: 'v2.cancelOrder',
    response: inStatus(409, (response) => rejectWith(response, 409, 'order_already_shipped')),
  },
  {
    name: 'a step that cannot be is 400',
    noticedBy: 'v2.orders',
    operation: 'v2.deliverOrder',
    response: inStatus(409, becomes(400)),
  },
  {
    name: 'the history lacks its beginning',
    noticedBy: 'v2.orders',
    operation: 'v2.getOrderHistory',
    ...inPage((states) => states.slice(1)),
  },
  {
    name: 'shipping obeys a content type',
    noticedBy: 'v2.orders',
    operation: 'v2.shipOrder',
    response: (response, { headers }) => {
      if (headers['content-type'] === 'text/xml') rejectWith(response, 415, 'unsupported_media_type');
    },
  },
];

const sameDate = (a: Json, b: Json) => Number(a.shipDate === b.shipDate);
