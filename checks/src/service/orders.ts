import { hasStatus, holds, jsonOf, same } from './expect.ts';
import type { Client, Response } from './http.ts';
import { Mismatch } from './mismatch.ts';

export type Order = { id: bigint; petId: bigint; quantity: bigint; shipDate: string; complete: boolean };

export const orderFields = ['id', 'petId', 'quantity', 'shipDate', 'complete'];

/** Well above anything the demonstration data holds, and small enough for every tool in between. */
export const missingId = 987654321n;

/** Without a supply, a run may cancel this many orders of a store, so that it serves several runs. */
const cancelBudget = 6;

/** Places a pending order and gives its id; undefined where the service has no way to. */
export type Supply = () => Promise<bigint | undefined>;

export type OrderBook = {
  list(): Promise<{ response: Response; orders: Order[] }>;
  /** An order that is complete: it was delivered, so it has shipped. */
  delivered(): Promise<Order>;
  /** An order that is not complete and that the service refused to cancel: it is under way. */
  shipped(): Promise<Order>;
  /** Runs `attempt` on an order of our own, or on one after the other until one is not refused with 409. */
  cancelPending(attempt?: Attempt): Promise<{ order: Order; responses: Response[] }>;
  /** Whether a check failed because the store has no pending order left. */
  ranOut(): boolean;
};

/** Must send at least one plain cancel of the order; every answer of a cancel is returned. */
type Attempt = (order: Order) => Promise<Response[]>;

export const cancel = (client: Client, id: bigint | string): Promise<Response> =>
  client.send({ method: 'DELETE', path: `/store/orders/${id}` });

export function openOrderBook(client: Client, supply?: Supply): OrderBook {
  const refused = new Map<bigint, Order>();
  let cancelled = 0;
  let ranOut = false;

  const list = async () => {
    const response = await client.send({ path: '/store/orders' });
    return { response, orders: ordersIn(response) };
  };

  // v1 shows no status. What has left the store mostly left it earlier than what is still expected
  // to, so trying the earliest dates first finds the shipped orders, and a refusal costs nothing.
  const nextCandidate = async (): Promise<Order | undefined> => {
    const { orders } = await list();
    return orders
      .filter((order) => !order.complete && !refused.has(order.id))
      .sort((a, b) => (a.shipDate < b.shipDate ? -1 : 1))[0];
  };

  /** A pending order of our own; undefined where none can be placed. */
  const supplied = async (): Promise<Order | undefined> => {
    const id = await supply?.();
    if (id === undefined) return undefined;
    const order = (await list()).orders.find((each) => each.id === id);
    if (order === undefined) throw new Mismatch(`order ${id}, which was placed`, 'a list without it');
    return order;
  };

  const tryOne = async (attempt: Attempt) => {
    const order = await nextCandidate();
    if (order === undefined) {
      ranOut = true;
      throw new Mismatch('a pending order to cancel', 'a store with none left');
    }
    holds(cancelled < cancelBudget, `at most ${cancelBudget} cancelled orders a run`, 'a need for another');
    const responses = await attempt(order);
    if (responses.every((response) => response.status === 409)) refused.set(order.id, order);
    else cancelled += 1;
    return { order, responses };
  };

  const plainly: Attempt = async (order) => [await cancel(client, order.id)];

  return {
    list,
    ranOut: () => ranOut,
    async delivered() {
      const order = (await list()).orders.find(({ complete }) => complete);
      if (order === undefined) throw new Mismatch('an order with `complete` true', 'none in the list');
      return order;
    },
    async shipped() {
      for (let tries = 0; refused.size === 0 && tries < 2; tries += 1) await tryOne(plainly);
      const [order] = refused.values();
      if (order === undefined) throw new Mismatch('an order refused with 409', 'none among those tried');
      return order;
    },
    async cancelPending(attempt = plainly) {
      const own = await supplied();
      if (own) return { order: own, responses: await attempt(own) };
      for (;;) {
        const tried = await tryOne(attempt);
        if (!refused.has(tried.order.id)) return tried;
      }
    },
  };
}

/** The orders of a list, each checked to be an Order and nothing but an Order. */
export function ordersIn(response: Response): Order[] {
  hasStatus(response, 200);
  const list = jsonOf(response);
  if (!Array.isArray(list)) throw new Mismatch('a JSON array', response.text, response.request);
  return list.map((item: unknown) => {
    const order = (typeof item === 'object' && item !== null ? item : {}) as Record<string, unknown>;
    same(Object.keys(order), orderFields, 'the fields', response.request);
    for (const field of ['id', 'petId', 'quantity']) {
      holds(typeof order[field] === 'bigint', `an integer in \`${field}\``, order[field], response.request);
    }
    holds(typeof order.shipDate === 'string', 'a string in `shipDate`', order.shipDate, response.request);
    holds(typeof order.complete === 'boolean', 'a boolean in `complete`', order.complete, response.request);
    return order as Order;
  });
}

/** Compares two lists; the difference is told in ids, since whole orders would be too much to read. */
export function sameOrders(actual: Order[], expected: Order[]): void {
  const ids = (orders: Order[]) => orders.map(({ id }) => id).join(' ');
  holds(ids(actual) === ids(expected), `the orders ${ids(expected)}`, ids(actual));
  for (const [index, order] of expected.entries()) same(actual[index], order, 'the order');
}

export const without = (orders: Order[], gone: Order): Order[] => orders.filter(({ id }) => id !== gone.id);
