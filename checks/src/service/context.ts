import { once } from './check.ts';
import { type PublishedDocument, publishedDocument } from './document.ts';
import { jsonOf } from './expect.ts';
import type { Client, Response } from './http.ts';
import { Mismatch } from './mismatch.ts';
import { cancel, createOrderBook, type Order, type OrderBook } from './orders.ts';
import { type Named, openStore, type Store } from './spec/store.ts';
import { openV2, type V2 } from './v2.ts';

type Deployment = { client: Client; store: Store; orders: OrderBook; v2: V2 };

/** Shared by all checks, including the cancelled order, because each cancellation uses up an order of the store. */
export type Context = Deployment & {
  staging?: Deployment;
  /** The URL from the command line. */
  givenUrl: URL;
  named: Named;
  /** A read-only key of the same store. */
  readKey?: string;
  cancellation: () => Promise<Cancellation>;
  pets: () => Promise<Pet[]>;
  document: PublishedDocument;
  /** Removes what the run created, as far as the service allows. */
  cleanUp: () => Promise<void>;
};

/** The context of checks that run on staging, or on production without it. */
export const onStaging = (context: Context): Context => ({ ...context, ...context.staging });

export type Pet = Record<string, unknown>;

/** Cancels one pending order, and collects the responses of each step. */
type Cancellation = {
  order: Order;
  before: Order[];
  etagBefore: string | undefined;
  response: Response;
  after: Order[];
  etagAfter: string | undefined;
  again: Response;
  afterAgain: Order[];
};

type ContextOptions = {
  client: Client;
  staging?: Client;
  readKey?: string;
  /** The URL from the command line. */
  url?: URL;
  named?: Named;
  /** Whether only version 1 may be called. */
  isV1Only?: boolean;
  /** Whether only well-formed calls of documented operations may be sent. */
  isDocumentedOnly?: boolean;
};

function openDeployment(client: Client, options: ContextOptions, named: Named = {}): Deployment {
  const { isV1Only = false, isDocumentedOnly = false } = options;
  const v2 = openV2(client);
  const pet = once(() => v2.newPet(100));
  const placeOrder = async () => ((await v2.exists()) ? (await v2.place(await pet())).id : undefined);
  const store = openStore(client, named, isDocumentedOnly);
  const orders = createOrderBook(client, isV1Only ? undefined : placeOrder);
  return { client, store, v2, orders };
}

export function createContext(options: ContextOptions): Context {
  const { client, staging: stagingClient, readKey, url: givenUrl = client.base, named = {} } = options;
  const production = openDeployment(client, options, named);
  const staging = stagingClient && openDeployment(stagingClient, options);
  const { orders } = production;
  return {
    ...production,
    givenUrl,
    named,
    ...(staging && { staging }),
    ...(readKey && { readKey }),
    async cleanUp() {
      await production.v2.cleanUp();
      await staging?.v2.cleanUp();
    },
    cancellation: once(async () => {
      let before = await orders.list();
      const { order, responses } = await orders.cancelPending(async ({ id }) => {
        before = await orders.list();
        return [await cancel(client, id)];
      });
      const after = await orders.list();
      const again = await cancel(client, order.id);
      return {
        order,
        before: before.orders,
        etagBefore: before.response.headers.etag,
        response: responses[0] as Response,
        after: after.orders,
        etagAfter: after.response.headers.etag,
        again,
        afterAgain: (await orders.list()).orders,
      };
    }),
    document: publishedDocument(client),
    pets: async () => petsIn(await client.send({ path: '/pets' })),
  };
}

export function petsIn(response: Response): Pet[] {
  const list = jsonOf(response);
  if (!Array.isArray(list) || list.length === 0) {
    throw new Mismatch('a JSON array with pets', response.text, response.request);
  }
  return list as Pet[];
}

/** A call of each operation of v1, which succeeds or at least is well-formed. */
export const operations = [
  { name: 'listOrders', method: 'GET', path: '/store/orders' },
  { name: 'cancelOrder', method: 'DELETE', path: '/store/orders/987654321' },
  { name: 'listPets', method: 'GET', path: '/pets' },
  { name: 'getPet', method: 'GET', path: '/pets/{petId}' },
] as const;
