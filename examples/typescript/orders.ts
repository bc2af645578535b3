// Run: PETSTORE_URL=http://127.0.0.1:8081/v1 PETSTORE_KEY=pst_test_… node orders.ts
// Outside this repository, import from '@petstore/client'.
import { createClient, PetStoreError } from '../../client/src/index.ts';

const { PETSTORE_URL: baseUrl = 'http://127.0.0.1:8081/v1', PETSTORE_KEY: key = '' } = process.env;
const client = createClient({ baseUrl, key });

// IDs are bigint. Iterate over all pages with for await.
let count = 0;
let last = 0n;
for await (const { id, status } of client.orders.list({ limit: 1000 })) {
  if (status === 'cancelled') continue;
  count += 1;
  last = id;
}
console.log(`${count} orders, last id ${last}`);

let petId = 0n;
for await (const pet of client.pets.list({ status: 'available' })) petId = pet.id;

// The client retries with the same generated idempotency key, so there is never a second order.
const order = await client.orders.place({ petId, quantity: 1 });
console.log(`placed order ${order.id} for pet ${order.petId}`);

await client.orders.cancel(order.id);
console.log(`cancelled order ${order.id}`);

try {
  await client.orders.cancel(order.id);
} catch (error) {
  if (!(error instanceof PetStoreError)) throw error;
  console.log(`cancelled again: ${error.status} ${error.code}`);
}
