import { cancelOrder, getOrder, listEvents, listOrders, type Message, placeOrder } from './made.ts';
import { greatHeaders, greatUrl, headers, play, url } from './scenario.ts';

const { fetch: send } = globalThis;
// The generated client requests paths without an origin.
const calling = (address: string) => {
  globalThis.fetch = (path, init) => send(address + path, init);
};
/** Narrows the body type by status. */
const of = <T extends { status: number; data: unknown }, S extends T['status']>(response: T, status: S) => {
  if (response.status !== status) throw new Error(`the status is ${response.status}`);
  return response.data as Extract<T, { status: S }>['data'];
};

calling(url);
await play({
  list: async (cursor) => of(await listOrders({ limit: 15, cursor }, { headers }), 200),
  place: async (key) => {
    const options = { headers: { ...headers, 'Idempotency-Key': key } };
    return of(await placeOrder({ petId: 1, quantity: 1 }, options), 201);
  },
  get: async (id) => of(await getOrder(id, { headers }), 200),
  cancel: async (id) => {
    const { status, data } = await cancelOrder(id, { headers });
    return [status, data?.code];
  },
  statusIfChanged: async (etag) => {
    calling(greatUrl);
    return (await getOrder(1, { headers: { ...greatHeaders, 'If-None-Match': etag } })).status;
  },
  getGreat: async (id) => of(await getOrder(id, { headers: greatHeaders }), 200),
  events: async () => of(await listEvents({ after: '0' }, { headers: greatHeaders }), 200).data,
  read: (text) => JSON.parse(text) as Message,
});
