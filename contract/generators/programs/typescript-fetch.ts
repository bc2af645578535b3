import { Configuration, EventsApi, MessageFromJSON, OrdersApi, ResponseError } from './made/index.ts';
import { greatKey, greatUrl, key, play, url } from './scenario.ts';

const orders = new OrdersApi(new Configuration({ basePath: url, accessToken: key }));
const great = new Configuration({ basePath: greatUrl, accessToken: greatKey });
const greatOrders = new OrdersApi(great);

async function rejected(call: Promise<unknown>): Promise<Response | undefined> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ResponseError) return error.response;
    throw error;
  }
}

await play({
  list: (cursor) => orders.listOrders({ limit: 15, cursor }),
  place: (idempotencyKey) => orders.placeOrder({ orderInput: { petId: 1, quantity: 1 }, idempotencyKey }),
  get: (orderId) => orders.getOrder({ orderId }),
  cancel: async (orderId) => {
    const response = await rejected(orders.cancelOrder({ orderId }));
    return [response?.status, response && ((await response.json()) as { code: string }).code];
  },
  statusIfChanged: async (ifNoneMatch) =>
    (await rejected(greatOrders.getOrder({ orderId: 1, ifNoneMatch })))?.status,
  getGreat: (orderId) => greatOrders.getOrder({ orderId }),
  events: async () => (await new EventsApi(great).listEvents({ after: '0' })).data,
  read: (text) => MessageFromJSON(JSON.parse(text)),
});
