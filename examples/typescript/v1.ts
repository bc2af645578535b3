// Run: PETSTORE_URL=http://127.0.0.1:8080/v1 PETSTORE_KEY=pst_live_… node v1.ts
// Outside this repository, import from '@petstore/client'.
import { ConflictError, createClient } from '../../client/src/index.ts';

const { PETSTORE_URL: baseUrl = 'http://127.0.0.1:8080/v1', PETSTORE_KEY: key = '' } = process.env;
const { v1 } = createClient({ baseUrl, key });

const pets = await v1.listPets();
console.log(`connected: ${pets.length} pets`);

// IDs are bigint, and exact.
const orders = await v1.listOrders();
console.log(`${orders.length} orders, last id ${orders.at(-1)?.id}`);

/** Returns the error, or undefined if the order was cancelled. */
async function rejectionOf(id: bigint): Promise<ConflictError | undefined> {
  try {
    await v1.cancelOrder(id);
    return undefined;
  } catch (error) {
    if (error instanceof ConflictError) return error;
    throw error;
  }
}

// Only a pending order can be cancelled, and v1 shows no status: try the last one first.
for (const { id } of orders.filter(({ complete }) => !complete).reverse()) {
  if (id === undefined || (await rejectionOf(id))) continue;
  console.log(`cancelled order ${id}`);
  break;
}

const id = orders.findLast(({ complete }) => complete)?.id;
if (id !== undefined) {
  const rejection = await rejectionOf(id);
  console.log(`order ${id} cannot be cancelled: ${rejection?.status} ${rejection?.code}`);
}
