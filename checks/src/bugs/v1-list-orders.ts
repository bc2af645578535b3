import type { Bug } from './bug.ts';
import { editEach, editJson, rejectWith } from './mutations.ts';

const operation = 'v1.listOrders';

export const v1ListOrders: readonly Bug[] = [
  {
    id: 'list-is-empty',
    level: 'easy',
    operation,
    summary: 'The list of orders is always empty.',
    hint: 'A fresh store has 40 orders.',
    createHooks: () => editJson(200, () => []),
  },
  {
    id: 'newest-order-is-missing',
    level: 'medium',
    operation,
    summary: 'The order with the largest id is missing from the list.',
    hint: 'Place an order, and look for it.',
    createHooks: () => editJson<unknown[]>(200, (orders) => orders.slice(0, -1)),
  },
  {
    id: 'list-is-descending',
    level: 'easy',
    operation,
    summary: 'The list is in descending order.',
    hint: 'The documents state the order of the list.',
    createHooks: () => editJson<unknown[]>(200, (orders) => orders.reverse()),
  },
  {
    id: 'quantity-is-text',
    level: 'easy',
    operation,
    summary: 'Quantities are strings.',
    hint: 'Look at the type of every field.',
    createHooks: () => editEach((order) => Object.assign(order, { quantity: String(order.quantity) })),
  },
  {
    id: 'status-leaks-into-v1',
    level: 'medium',
    operation,
    summary: 'Orders have a sixth field, `status`.',
    hint: 'The documents list all fields of an order in version 1.',
    createHooks: () => editEach((order) => Object.assign(order, { status: 'pending' })),
  },
  {
    id: 'complete-too-early',
    level: 'medium',
    operation,
    summary: 'An order is complete as soon as its ship date has passed, even if it was not delivered.',
    hint: 'Compare `complete` with the `status` in version 2.',
    createHooks: () => editEach((order) => Object.assign(order, { complete: isPast(order.shipDate) })),
  },
  {
    id: 'cancelled-order-stays-listed',
    level: 'medium',
    operation,
    summary: 'Cancelled orders are still listed.',
    hint: 'Look at the list before and after a change.',
    createHooks: () => ({
      async response(response, _, callService) {
        if (response.status !== 200) return;
        const { body } = await callService('GET /v2/store/orders?status=cancelled&limit=1000');
        const cancelled = [...body.matchAll(/("id":\d+,.*?"complete":\w+)/g)].map(
          ([fields]) => `{${fields}}`,
        );
        const listed = response.body.slice(1, -1);
        response.body = `[${[...(listed ? [listed] : []), ...cancelled].join()}]`;
      },
    }),
  },
  {
    id: 'limit-is-obeyed-in-v1',
    level: 'hard',
    operation,
    summary: 'The list is truncated by `limit`, a parameter that version 1 does not have.',
    hint: 'The list has all orders, regardless of the query.',
    createHooks: () => ({
      response(response, { path }) {
        const limit = /[?&]limit=(\d+)/.exec(path)?.[1];
        if (limit === undefined || response.status !== 200) return;
        const orders = response.body.match(/\{[^}]*\}/g) ?? [];
        response.body = `[${orders.slice(0, Number(limit)).join()}]`;
      },
    }),
  },
  {
    id: 'large-ids-are-rounded',
    level: 'hard',
    operation,
    summary: 'IDs beyond 2^53 are rounded to doubles.',
    hint: 'The sandbox has a data set with IDs that doubles cannot hold.',
    createHooks: () => ({
      response(response) {
        response.body = response.body.replace(/"id":(\d+)/g, (_, id) => `"id":${BigInt(Number(id))}`);
      },
    }),
  },
  {
    id: 'not-modified-for-ever',
    level: 'hard',
    operation,
    summary: 'A request with `If-None-Match` always gets 304, even after a change.',
    hint: 'After a change, repeat a request with its old `ETag`.',
    createHooks: () => ({
      intercept({ headers }) {
        const tag = headers['if-none-match'];
        return tag && headers.authorization ? { status: 304, headers: { etag: tag }, body: '' } : undefined;
      },
    }),
  },
  {
    id: 'refused-key-is-403',
    level: 'easy',
    operation,
    summary: 'A rejected key gets 403 instead of 401.',
    hint: 'What if the key is wrong?',
    createHooks: () => ({
      response: (response) => response.status === 401 && rejectWith(response, 403, 'forbidden'),
    }),
  },
];

const isPast = (date: unknown) => Date.parse(String(date)) < Date.now();
