import { createClient } from './generated/client/index.ts';
import { cancelOrder, getOrder, listEvents, listOrders, placeOrder } from './generated/sdk.gen.ts';
import type { Message } from './generated/types.gen.ts';
import { headers, largeHeaders, largeUrl, runScenario, url } from './scenario.ts';

const client = createClient({ baseUrl: url, headers });
const large = createClient({ baseUrl: largeUrl, headers: largeHeaders });
const throwOnError = true;

await runScenario({
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
    return (await getOrder({ client: large, path: { orderId: 1 }, headers })).response?.status;
  },
  getLarge: async (orderId) => (await getOrder({ client: large, path: { orderId }, throwOnError })).data,
  events: async () => (await listEvents({ client: large, query: { after: '0' }, throwOnError })).data.data,
  read: (text) => JSON.parse(text) as Message,
});
