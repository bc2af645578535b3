import { isAxiosError } from 'axios';
import { Configuration, EventsApi, type Message, OrdersApi } from './made/index.ts';
import { greatKey, greatUrl, key, play, url } from './scenario.ts';

const orders = new OrdersApi(new Configuration({ basePath: url, accessToken: key }));
const great = new Configuration({ basePath: greatUrl, accessToken: greatKey });
const greatOrders = new OrdersApi(great);
const none = undefined;

async function settled(call: Promise<{ status: number; data: unknown }>) {
  try {
    return await call;
  } catch (error) {
    if (isAxiosError(error) && error.response) return error.response;
    throw error;
  }
}

await play({
  list: async (cursor) => (await orders.listOrders(none, none, none, none, none, none, 15, cursor)).data,
  place: async (key) => (await orders.placeOrder({ petId: 1, quantity: 1 }, key)).data,
  get: async (id) => (await orders.getOrder(id)).data,
  cancel: async (id) => {
    const { status, data } = await settled(orders.cancelOrder(id));
    return [status, (data as { code?: string }).code];
  },
  statusIfChanged: async (etag) => (await settled(greatOrders.getOrder(1, etag))).status,
  getGreat: async (id) => (await greatOrders.getOrder(id)).data,
  events: async () => (await new EventsApi(great).listEvents('0')).data.data,
  read: (text) => JSON.parse(text) as Message,
});
