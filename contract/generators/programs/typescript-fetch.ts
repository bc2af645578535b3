import { Configuration, EventsApi, MessageFromJSON, OrdersApi, ResponseError } from './generated/index.ts';
import { key, largeKey, largeUrl, runScenario, url } from './scenario.ts';

const orders = new OrdersApi(new Configuration({ basePath: url, accessToken: key }));
const large = new Configuration({ basePath: largeUrl, accessToken: largeKey });
const largeOrders = new OrdersApi(large);

async function rejectionOf(call: Promise<unknown>): Promise<Response | undefined> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ResponseError) return error.response;
    throw error;
  }
}

await runScenario({
  list: (cursor) => orders.listOrders({ limit: 15, cursor }),
  place: (idempotencyKey) => orders.placeOrder({ orderInput: { petId: 1, quantity: 1 }, idempotencyKey }),
  get: (orderId) => orders.getOrder({ orderId }),
  cancel: async (orderId) => {
    const response = await rejectionOf(orders.cancelOrder({ orderId }));
    return [response?.status, response && ((await response.json()) as { code: string }).code];
  },
  statusIfChanged: async (ifNoneMatch) =>
    (await rejectionOf(largeOrders.getOrder({ orderId: 1, ifNoneMatch })))?.status,
  getLarge: (orderId) => largeOrders.getOrder({ orderId }),
  events: async () => (await new EventsApi(large).listEvents({ after: '0' })).data,
  read: (text) => MessageFromJSON(JSON.parse(text)),
});
