// Our own client, with nothing but what it does by itself.
import { createClient } from '../../../../client/src/index.ts';

const { PETSTORE_ADDRESS, PETSTORE_KEY, PETSTORE_TASK, PETSTORE_ORDER_ID } = process.env;
const client = createClient({ baseUrl: String(PETSTORE_ADDRESS), key: String(PETSTORE_KEY) });
const print = (rows: readonly { readonly id?: unknown }[]) => {
  for (const { id } of rows) console.log(String(id));
};

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
  'cancel-order': () => client.v1.cancelOrder(BigInt(String(PETSTORE_ORDER_ID))),
  'place-order': () => client.orders.place({ petId: 1, quantity: 1 }),
};
const task = tasks[String(PETSTORE_TASK)];
if (!task) process.exit(64);
await task();
