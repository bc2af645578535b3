import { isAxiosError } from 'axios';
import { Configuration, EventsApi, type Message, OrdersApi } from './generated/index.ts';
import { key, largeKey, largeUrl, runScenario, url } from './scenario.ts';

const orders = new OrdersApi(new Configuration({ basePath: url, accessToken: key }));
const large = new Configuration({ basePath: largeUrl, accessToken: largeKey });
const largeOrders = new OrdersApi(large);
const none = undefined;

async function responseOf(call: Promise<{ status: number; data: unknown }>) {
  try {
    return await call;
  } catch (error) {
    if (isAxiosError(error) && error.response) return error.response;
    throw error;
  }
}

await runScenario({
  list: async (cursor) => (await orders.listOrders(none, none, none, none, none, none, 15, cursor)).data,
  place: async (key) => (await orders.placeOrder({ petId: 1, quantity: 1 }, key)).data,
  get: async (id) => (await orders.getOrder(id)).data,
  cancel: async (id) => {
    const { status, data } = await responseOf(orders.cancelOrder(id));
    return [status, (data as { code?: string }).code];
  },
  statusIfChanged: async (etag) => (await responseOf(largeOrders.getOrder(1, etag))).status,
  getLarge: async (id) => (await largeOrders.getOrder(id)).data,
  events: async () => (await new EventsApi(large).listEvents('0')).data.data,
  read: (text) => JSON.parse(text) as Message,
});
