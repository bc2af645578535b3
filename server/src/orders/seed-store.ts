import type { Connection } from '../database/engine.ts';
import { type KeyDetails, saveKey } from '../keys/create-key.ts';
import { demonstrationPets, startOfDay } from './demonstration-data.ts';
import { insertRows } from './insert-rows.ts';
import { madeOrders } from './made-orders.ts';
import { insertStore, randomStoreId } from './open-store.ts';

const BATCH = 10_000;

/** Opens a store with many orders in every state. Its caller commits the transaction that makes it exist. */
export async function seedStore(
  connection: Connection,
  { orders: count, key, at }: { orders: number; key: KeyDetails; at: bigint },
  onProgress: (more: number) => void = () => {},
): Promise<void> {
  const id = randomStoreId();
  await connection.all(insertStore, { id, owner: null, nextOrderId: BigInt(count + 1), at });
  await insertRows(connection, id, { pets: demonstrationPets, orders: [] });
  const all = { count, today: startOfDay(at), shift: 0, cycle: 10 };
  for (let first = 1; first <= count; first += BATCH) {
    const last = Math.min(first + BATCH - 1, count);
    await insertRows(connection, id, { pets: [], orders: madeOrders(all, first, last) });
    onProgress(last - first + 1);
  }
  await saveKey(connection, id, key, at);
}
