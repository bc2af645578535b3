// Our own client with its default behavior.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createClient } from '../../../client/src/index.ts';

const env = process.env as Readonly<Record<string, string>>;
const client = createClient({ baseUrl: String(env.PETSTORE_URL), key: String(env.PETSTORE_KEY) });
// In one write: a hundred thousand small ones take most of a slow machine's time.
const print = (rows: readonly { readonly id?: unknown }[]) => {
  if (rows.length > 0) console.log(rows.map(({ id }) => String(id)).join('\n'));
};

async function watchEvents(): Promise<void> {
  let left = Number(env.PETSTORE_COUNT);
  for await (const { id } of client.events({ after: String(env.PETSTORE_AFTER) })) {
    console.log(id);
    left -= 1;
    if (left === 0) return;
  }
}

/** Each event is printed once: a repeated delivery gets a response, and nothing more. */
function receiveWebhooks(): Promise<void> {
  const taken = new Set<string>();
  const { hostname, port } = new URL(String(env.PETSTORE_WEBHOOK_URL));
  const { promise, resolve } = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    try {
      const event = await client.webhooks.verify(body, request.headers, String(env.PETSTORE_WEBHOOK_SECRET));
      if (!taken.has(event.id)) console.log(event.id);
      taken.add(event.id);
      response.writeHead(204).end();
    } catch {
      response.writeHead(400).end();
    }
    if (taken.size < Number(env.PETSTORE_COUNT)) return;
    server.close(() => resolve()).closeIdleConnections();
  });
  server.listen(Number(port), hostname);
  return promise;
}

const placeOrder = () => client.orders.place({ petId: 1, quantity: 1 }).then(() => {});

const tasks: Record<string, () => Promise<unknown>> = {
  'list-orders': async () => print(await client.v1.listOrders()),
  'list-pages': async () => {
    for await (const order of client.orders.list({ limit: 1000 })) console.log(String(order.id));
  },
  'list-pets-twice': async () => {
    for (let i = 0; i < 2; i++) print(await client.v1.listPets());
  },
  'get-pet': async () => console.log((await client.pets.get(1)).name),
  'get-pet-v1': async () => console.log((await client.v1.getPet(1)).name),
  'cancel-order': () => client.v1.cancelOrder(BigInt(String(env.PETSTORE_ORDER_ID))),
  'place-order': placeOrder,
  'place-two-orders': () => placeOrder().then(placeOrder),
  'watch-events': watchEvents,
  'receive-webhooks': receiveWebhooks,
};
const task = tasks[String(env.PETSTORE_TASK)];
if (!task) process.exit(64);
await task();
