import { createClient } from './made/client/index.ts';
import { cancelOrder, getOrder, listEvents, listOrders, placeOrder } from './made/sdk.gen.ts';
import type { Message } from './made/types.gen.ts';
import { greatHeaders, greatUrl, headers, play, url } from './scenario.ts';

const client = createClient({ baseUrl: url, headers });
const great = createClient({ baseUrl: greatUrl, headers: greatHeaders });
const throwOnError = true;

await play({
  list: async (cursor) => (await listOrders({ client, query: { limit: 15, cursor }, throwOnError })).data,
  place: async (key) => {
    const body = { petId: 1, quantity: 1 };
    return (await placeOrder({ client, body, headers: { 'Idempotency-Key': key }, throwOnError })).data;
  },
  get: async (orderId) => (await getOrder({ client, path: { orderId }, throwOnError })).data,
  cancel: async (orderId) => {
    const { response, error } = await cancelOrder({ client, path: { orderId } });
    return [response?.status, error?.code];
  },
  statusIfChanged: async (etag) => {
    const headers = { 'If-None-Match': etag };
    return (await getOrder({ client: great, path: { orderId: 1 }, headers })).response?.status;
  },
  getGreat: async (orderId) => (await getOrder({ client: great, path: { orderId }, throwOnError })).data,
  events: async () => (await listEvents({ client: great, query: { after: '0' }, throwOnError })).data.data,
  read: (text) => JSON.parse(text) as Message,
});
