import { once } from './check.ts';
import { type PublishedDocument, publishedDocument } from './document.ts';
import { jsonOf } from './expect.ts';
import type { Answer, Client } from './http.ts';
import { Mismatch } from './mismatch.ts';
import { cancel, type Order, type OrderBook, openOrderBook } from './orders.ts';

type Deployment = { client: Client; orders: OrderBook };

/** What every check may look at. The cancelled order is shared: each cancel costs the store one order. */
export type Context = Deployment & {
  staging?: Deployment;
  cancellation: () => Promise<Cancellation>;
  pets: () => Promise<Pet[]>;
  document: PublishedDocument;
};

export type Pet = Record<string, unknown>;

/** One pending order on its way out, and what the service said at each step. */
type Cancellation = {
  order: Order;
  before: Order[];
  etagBefore: string | undefined;
  answer: Answer;
  after: Order[];
  etagAfter: string | undefined;
  again: Answer;
  afterAgain: Order[];
};

export function createContext(client: Client, staging?: Client): Context {
  const orders = openOrderBook(client);
  return {
    client,
    orders,
    ...(staging ? { staging: { client: staging, orders: openOrderBook(staging) } } : {}),
    cancellation: once(async () => {
      let before = await orders.list();
      const { order, answers } = await orders.cancelPending(async ({ id }) => {
        before = await orders.list();
        return [await cancel(client, id)];
      });
      const after = await orders.list();
      const again = await cancel(client, order.id);
      return {
        order,
        before: before.orders,
        etagBefore: before.answer.headers.etag,
        answer: answers[0] as Answer,
        after: after.orders,
        etagAfter: after.answer.headers.etag,
        again,
        afterAgain: (await orders.list()).orders,
      };
    }),
    document: publishedDocument(client),
    pets: async () => petsIn(await client.send({ path: '/pets' })),
  };
}

export function petsIn(answer: Answer): Pet[] {
  const list = jsonOf(answer);
  if (!Array.isArray(list) || list.length === 0) {
    throw new Mismatch('a JSON array with pets', answer.text, answer.request);
  }
  return list as Pet[];
}

/** The four operations of v1, each as a call that would succeed or at least be understood. */
export const operations = [
  { name: 'listOrders', method: 'GET', path: '/store/orders' },
  { name: 'cancelOrder', method: 'DELETE', path: '/store/orders/987654321' },
  { name: 'listPets', method: 'GET', path: '/pets' },
  { name: 'getPet', method: 'GET', path: '/pets/1' },
] as const;

/** The key with its last character changed: it has the right shape and a wrong checksum. */
export const damaged = (key: string): string => key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
