import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const foreignKey = 'shop.7';

type Order = Record<string, unknown> & { id?: unknown };
export interface Held {
  readonly id: number;
  state: 'pending' | 'shipped' | 'delivered' | 'cancelled';
  shown: Order;
}

export interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** Sent in the place of the JSON of `body`. */
  text?: string;
}

/** A service written from the specification alone. A deviation replaces one of its parts. */
export interface Foreign {
  prefix: string;
  orders: Held[];
  /** Replies in the place of everything else. */
  before(request: IncomingMessage, url: URL): Reply | undefined;
  /** The key that a request carries. */
  keyOf(request: IncomingMessage, url: URL): string;
  isKey(key: string): boolean;
  /** Whether a request needs a key. */
  isProtected(request: IncomingMessage, url: URL): boolean;
  error(status: number, message: string): Reply;
  show(order: Held): unknown;
  listOrders(url: URL, request: IncomingMessage): Reply;
  find(id: string): Held | undefined;
  cancelOrder(id: string, url: URL, request: IncomingMessage): Reply;
  /** Changes the state of an order that can be cancelled. */
  cancel(order: Held): void;
  listPets(): Reply;
  getPet(id: string): Reply;
  /** Changes what was about to be sent. */
  finish(reply: Reply, request: IncomingMessage, url: URL): Reply;
}

const day = 86_400_000;
const withOffset = (time: number): string =>
  new Date(time + 2 * 3_600_000).toISOString().replace(/\.\d+Z$/, '+02:00');

export function createForeign(): Foreign {
  const now = Date.now();
  const states = ['delivered', 'pending', 'shipped', 'pending', 'delivered', 'pending', 'shipped'] as const;
  const service: Foreign = {
    prefix: '/shop/v1',
    // Neither sorted nor counted from 1; the fields come in any order, and some are missing.
    orders: states.map((state, at) => ({
      id: 40 - at * 3,
      state,
      shown: {
        quantity: at + 1,
        id: 40 - at * 3,
        ...(at === 2 ? {} : { petId: 9 }),
        ...(at === 5 ? {} : { shipDate: withOffset(now + (state === 'pending' ? 1 : -1) * (at + 1) * day) }),
        ...(at === 3 ? {} : { complete: state === 'delivered' }),
        note: 'by hand',
      },
    })),
    before: () => undefined,
    keyOf: ({ headers: { authorization = '' } }) => /^Bearer (.+)$/.exec(authorization)?.[1] ?? '',
    isKey: (key) => key === foreignKey,
    isProtected: () => true,
    error: (status, message) => ({
      status,
      body: { status, message, code: `SHOP-${status}`, help: 'see the desk' },
    }),
    show: ({ shown }) => shown,
    listOrders: () => ({
      status: 200,
      body: service.orders.filter(({ state }) => state !== 'cancelled').map((order) => service.show(order)),
    }),
    find: (id) => service.orders.find((order) => String(order.id) === id && order.state !== 'cancelled'),
    cancelOrder(id) {
      const order = service.find(id);
      if (!order) return service.error(404, 'There is no such order.');
      if (order.state !== 'pending') return service.error(409, 'It is on its way.');
      service.cancel(order);
      return { status: 204 };
    },
    cancel(order) {
      order.state = 'cancelled';
    },
    listPets: () => ({ status: 200, body: { animals: [{ id: 9, call: 'Ada' }] } }),
    getPet: (id) =>
      id === '9' ? { status: 200, body: { call: 'Ada' } } : service.error(404, 'There is no such animal.'),
    finish: (reply) => reply,
  };
  return service;
}

function route(service: Foreign, request: IncomingMessage, url: URL): Reply {
  const { prefix } = service;
  const early = service.before(request, url);
  if (early) return early;
  if (service.isProtected(request, url) && !service.isKey(service.keyOf(request, url)))
    return { ...service.error(401, 'Show your key.'), headers: { 'WWW-Authenticate': 'Bearer' } };
  const path = url.pathname.startsWith(prefix) ? url.pathname.slice(prefix.length) : '';
  const [, order] = /^\/store\/orders\/([^/]+)$/.exec(path) ?? [];
  const [, pet] = /^\/pets\/([^/]+)$/.exec(path) ?? [];
  const call = `${request.method} ${path}`;
  if (call === 'GET /store/orders') return service.listOrders(url, request);
  if (request.method === 'DELETE' && order) return service.cancelOrder(order, url, request);
  if (call === 'GET /pets') return service.listPets();
  if (request.method === 'GET' && pet) return service.getPet(pet);
  return service.error(404, 'There is nothing.');
}

/** Serves it, or something that is hardly a service, on this machine. */
export async function serveForeign(service: Foreign) {
  const server = createServer((request: IncomingMessage, res: ServerResponse) => {
    const url = new URL(request.url ?? '', 'http://shop.example');
    const reply = service.finish(route(service, request, url), request, url);
    const { status, body, headers = {}, text = body === undefined ? '' : JSON.stringify(body) } = reply;
    request.resume();
    if (status === 204 && text) return void request.socket.end(`HTTP/1.1 204 No Content\r\n\r\n${text}`);
    const type = text ? { 'Content-Type': 'application/json;charset=UTF-8' } : {};
    res.writeHead(status, { ...type, ...headers }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${service.prefix}`,
    /** Closes every connection, and accepts no further one. */
    crash() {
      server.close();
      server.closeAllConnections();
    },
    async [Symbol.asyncDispose]() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
