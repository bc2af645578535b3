import { cancelOrder, getOrder, listEvents, listOrders, type Message, placeOrder } from './generated.ts';
import { headers, largeHeaders, largeUrl, runScenario, url } from './scenario.ts';

const { fetch: send } = globalThis;
// The generated client requests paths without an origin.
const setOrigin = (address: string) => {
  globalThis.fetch = (path, init) => send(address + path, init);
};
/** Narrows the body type by status. */
const bodyOf = <T extends { status: number; data: unknown }, S extends T['status']>(
  response: T,
  status: S,
) => {
  if (response.status !== status) throw new Error(`the status is ${response.status}`);
  return response.data as Extract<T, { status: S }>['data'];
};

setOrigin(url);
await runScenario({
  list: async (cursor) => bodyOf(await listOrders({ limit: 15, cursor }, { headers }), 200),
  place: async (key) => {
    const options = { headers: { ...headers, 'Idempotency-Key': key } };
    return bodyOf(await placeOrder({ petId: 1, quantity: 1 }, options), 201);
  },
  get: async (id) => bodyOf(await getOrder(id, { headers }), 200),
  cancel: async (id) => {
    const { status, data } = await cancelOrder(id, { headers });
    return [status, data?.code];
  },
  statusIfChanged: async (etag) => {
    setOrigin(largeUrl);
    return (await getOrder(1, { headers: { ...largeHeaders, 'If-None-Match': etag } })).status;
  },
  getLarge: async (id) => bodyOf(await getOrder(id, { headers: largeHeaders }), 200),
  events: async () => bodyOf(await listEvents({ after: '0' }, { headers: largeHeaders }), 200).data,
  read: (text) => JSON.parse(text) as Message,
});
