import { Inconclusive, once } from './check.ts';
import { type PublishedDocument, publishedDocument } from './document.ts';
import { ensure, expectJson, expectStatus, jsonOf } from './expect.ts';
import type { Client, Response } from './http.ts';
import { Mismatch } from './mismatch.ts';

export type Fields = Record<string, unknown>;
export type Order = Fields & { id: bigint; status: string; shipDate: string; quantity: bigint };

const byId = (a: Order, b: Order): number => (a.id < b.id ? -1 : 1);
const byDate = (a: Order, b: Order): number =>
  a.shipDate === b.shipDate ? byId(a, b) : a.shipDate < b.shipDate ? -1 : 1;

/** Comparison functions by value of the parameter `sort`. */
export const orderSorts = {
  id: byId,
  '-id': (a: Order, b: Order) => byId(b, a),
  shipDate: byDate,
  '-shipDate': (a: Order, b: Order) => byDate(b, a),
};

/** The Monday of the date's week, in UTC; `0000-01-01` if that Monday is before the year 0. */
export function mondayOf(date: string): string {
  const day = new Date(date);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  const text = day.toISOString();
  return text.startsWith('-') ? '0000-01-01' : text.slice(0, 10);
}

export type Page = { data: Fields[]; nextCursor: string | null };

/** Version 2 of a store. Checks place orders for pets of their own. */
export type V2 = {
  readonly client: Client;
  readonly document: PublishedDocument;
  exists(): Promise<boolean>;
  /** Throws `Inconclusive` if the service has no version 2 or does not document the operation. */
  require(operation?: string): Promise<void>;
  send(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** The items of all pages, and the pages. */
  walk(path: string): Promise<{ items: Fields[]; pages: Page[] }>;
  newPet(stock: number): Promise<bigint>;
  place(petId: bigint, quantity?: number, shipDate?: string): Promise<Order>;
  /** Sends a placement. The order, if any, is cancelled at the end of the run. */
  tryToPlace(body: string, headers?: Record<string, string>): Promise<Response>;
  order(id: bigint): Promise<Order>;
  stockOf(petId: bigint): Promise<bigint>;
  /** Registers a cleanup for the end of the run. Placed orders and created pets are cleaned up automatically. */
  onCleanUp(work: () => Promise<unknown>): void;
  /** Cancels placed orders, sets the stock of created pets to 0, and runs the other cleanups. */
  cleanUp(): Promise<void>;
};

const json = { 'Content-Type': 'application/json' };
const maxPages = 1000;

export function openV2(client: Client): V2 {
  const document = publishedDocument(client, client.v2);
  let cleanups = new AsyncDisposableStack();

  const onCleanUp: V2['onCleanUp'] = (work) =>
    cleanups.defer(async () => {
      await work();
    });
  const exists = once(async () => {
    const { status } = await client.send({ prefix: client.v2, path: '/openapi.json', key: null });
    return status !== 404;
  });
  const send: V2['send'] = (method, path, body, headers = body === undefined ? {} : json) =>
    client.send({ method, prefix: client.v2, path, headers, ...(body !== undefined && { body }) });
  const get: V2['get'] = (path, headers) => send('GET', path, undefined, headers);

  const tryToPlace: V2['tryToPlace'] = async (body, headers = {}) => {
    const response = await send('POST', '/store/orders', body, { ...json, ...headers });
    const { id } = response.status === 201 ? (objectOf(response, 201) as Order) : {};
    if (id !== undefined) onCleanUp(() => send('DELETE', `/store/orders/${id}`));
    return response;
  };

  return {
    client,
    document,
    exists,
    send,
    get,
    tryToPlace,
    async require(operation) {
      if (!(await exists())) throw new Inconclusive('the service has no version 2');
      if (operation !== undefined && !(await document.operations()).has(operation)) {
        throw new Inconclusive(`version 2 does not document ${operation}`);
      }
    },
    async walk(path) {
      const pages: Page[] = [];
      const items: Fields[] = [];
      for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)?.nextCursor ?? null) {
        const separator = path.includes('?') ? '&' : '?';
        const page = pageOf(await get(cursor === '' ? path : `${path}${separator}cursor=${cursor}`));
        pages.push(page);
        items.push(...page.data);
        ensure(pages.length <= maxPages, `at most ${maxPages} pages`, 'one more', `GET ${path}`);
      }
      return { items, pages };
    },
    async newPet(stock) {
      const body = `{"name":"Acceptance","category":"acceptance","stock":${stock}}`;
      const { id } = objectOf(await send('POST', '/pets', body), 201);
      if (typeof id !== 'bigint') throw new Mismatch('a pet with an id', String(id), 'POST /v2/pets');
      onCleanUp(() => send('PATCH', `/pets/${id}`, '{"stock":0}'));
      return id;
    },
    async place(petId, quantity = 1, shipDate) {
      const date = shipDate === undefined ? '' : `,"shipDate":"${shipDate}"`;
      return orderIn(await tryToPlace(`{"petId":${petId},"quantity":${quantity}${date}}`), 201);
    },
    order: async (id) => orderIn(await get(`/store/orders/${id}`)),
    stockOf: async (petId) => objectOf(await get(`/pets/${petId}`)).stock as bigint,
    onCleanUp,
    async cleanUp() {
      const registered = cleanups;
      cleanups = new AsyncDisposableStack();
      await registered.disposeAsync();
    },
  };
}

export function objectOf(response: Response, status = 200): Fields {
  const value = jsonOf(response, status);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Mismatch('a JSON object', response.text, response.request);
  }
  return value as Fields;
}

export const orderIn = (response: Response, status = 200): Order => {
  const order = objectOf(response, status);
  ensure(typeof order.id === 'bigint', 'an order', response.text, response.request);
  return order as Order;
};

export function pageOf(response: Response): Page {
  expectStatus(response, 200);
  expectJson(response);
  const { data, nextCursor } = objectOf(response);
  const isPage = Array.isArray(data) && (nextCursor === null || typeof nextCursor === 'string');
  ensure(isPage, 'a page: {"data":[…],"nextCursor":…}', response.text, response.request);
  return { data: data as Fields[], nextCursor: nextCursor as string | null };
}

export const idsOf = (items: readonly Fields[]): unknown[] => items.map(({ id }) => id);
