import { ensure, equal, expectStatus, jsonOf } from './expect.ts';
import type { Client, Response } from './http.ts';
import { Mismatch } from './mismatch.ts';

export type Order = { id: bigint; petId: bigint; quantity: bigint; shipDate: string; complete: boolean };

export const orderFields = ['id', 'petId', 'quantity', 'shipDate', 'complete'];

/** Larger than any id of the demonstration data, and small enough for tools that round. */
export const missingId = 987654321n;

/** Orders that a run may cancel if it cannot place its own, so that a store lasts for several runs. */
const cancelBudget = 6;

/** Places a pending order and returns its id; undefined if the service cannot. */
type PlaceOrder = () => Promise<bigint | undefined>;

export type OrderBook = {
  list(): Promise<{ response: Response; orders: Order[] }>;
  /** A complete order, which has therefore shipped. */
  delivered(): Promise<Order>;
  /** An incomplete order whose cancellation the service rejected: it has shipped. */
  shipped(): Promise<Order>;
  /** Runs `attempt` on an order that it places, or else on listed ones until one is not rejected with 409. */
  cancelPending(attempt?: Attempt): Promise<{ order: Order; responses: Response[] }>;
  /** Whether a check failed because the store has no pending order left. */
  ranOut(): boolean;
};

/** Must send at least one plain cancel of the order. Returns the responses of all cancels. */
type Attempt = (order: Order) => Promise<Response[]>;

export const cancel = (client: Client, id: bigint | string): Promise<Response> =>
  client.send({ method: 'DELETE', path: `/store/orders/${id}` });

export function createOrderBook(client: Client, placeOrder?: PlaceOrder): OrderBook {
  const rejected = new Map<bigint, Order>();
  let cancelled = 0;
  let ranOut = false;

  const list = async () => {
    const response = await client.send({ path: '/store/orders' });
    return { response, orders: ordersIn(response) };
  };

  // The earliest ship date first. v1 has no status, but orders with early dates have mostly shipped, and cancelling
  // one of those changes nothing.
  const nextCandidate = async (): Promise<Order | undefined> => {
    const { orders } = await list();
    return orders
      .filter((order) => !order.complete && !rejected.has(order.id))
      .sort((a, b) => (a.shipDate < b.shipDate ? -1 : 1))[0];
  };

  /** A pending order that the run places; undefined if it cannot. */
  const placedOrder = async (): Promise<Order | undefined> => {
    const id = await placeOrder?.();
    if (id === undefined) return undefined;
    const order = (await list()).orders.find((each) => each.id === id);
    if (order === undefined) throw new Mismatch(`order ${id}, which was placed`, 'a list without it');
    return order;
  };

  const tryNext = async (attempt: Attempt) => {
    const order = await nextCandidate();
    if (order === undefined) {
      ranOut = true;
      throw new Mismatch('a pending order to cancel', 'no pending order left');
    }
    ensure(
      cancelled < cancelBudget,
      `at most ${cancelBudget} cancelled orders per run`,
      'one more to cancel',
    );
    const responses = await attempt(order);
    if (responses.every((response) => response.status === 409)) rejected.set(order.id, order);
    else cancelled += 1;
    return { order, responses };
  };

  const cancelOnce: Attempt = async (order) => [await cancel(client, order.id)];

  return {
    list,
    ranOut: () => ranOut,
    async delivered() {
      const order = (await list()).orders.find(({ complete }) => complete);
      if (order === undefined) throw new Mismatch('an order with `complete` true', 'none in the list');
      return order;
    },
    async shipped() {
      for (let tries = 0; rejected.size === 0 && tries < 2; tries += 1) await tryNext(cancelOnce);
      const [order] = rejected.values();
      if (order === undefined) throw new Mismatch('an order rejected with 409', 'none among those tried');
      return order;
    },
    async cancelPending(attempt = cancelOnce) {
      const placed = await placedOrder();
      if (placed) return { order: placed, responses: await attempt(placed) };
      for (;;) {
        const tried = await tryNext(attempt);
        if (!rejected.has(tried.order.id)) return tried;
      }
    },
  };
}

/** The orders of a list; each must match the schema of Order exactly. */
export function ordersIn(response: Response): Order[] {
  expectStatus(response, 200);
  const list = jsonOf(response);
  if (!Array.isArray(list)) throw new Mismatch('a JSON array', response.text, response.request);
  return list.map((item: unknown) => {
    const order = (typeof item === 'object' && item !== null ? item : {}) as Record<string, unknown>;
    equal(Object.keys(order), orderFields, 'the fields', response.request);
    for (const field of ['id', 'petId', 'quantity']) {
      ensure(typeof order[field] === 'bigint', `an integer in \`${field}\``, order[field], response.request);
    }
    ensure(typeof order.shipDate === 'string', 'a string in `shipDate`', order.shipDate, response.request);
    ensure(typeof order.complete === 'boolean', 'a boolean in `complete`', order.complete, response.request);
    return order as Order;
  });
}

/** Compares two lists. Reports the difference by id, because whole orders would be too long. */
export function expectSameOrders(actual: Order[], expected: Order[]): void {
  const ids = (orders: Order[]) => orders.map(({ id }) => id).join(' ');
  ensure(ids(actual) === ids(expected), `the orders ${ids(expected)}`, ids(actual));
  for (const [index, order] of expected.entries()) equal(actual[index], order, 'the order');
}

export const without = (orders: Order[], removed: Order): Order[] =>
  orders.filter(({ id }) => id !== removed.id);
