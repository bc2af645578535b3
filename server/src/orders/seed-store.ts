import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import { type KeyDetails, saveKey } from '../keys/create-key.ts';
import { demonstrationPets, startOfDay } from './demonstration-data.ts';
import { makeOrders } from './make-orders.ts';
import { insertPets, randomStoreId } from './open-store.ts';
import { anyId, countOrders } from './order-counts.ts';

export interface SeedStore {
  readonly orders: number;
  readonly key: KeyDetails;
  readonly at: bigint;
}

/** Orders made by one statement: each is quick, so that progress can be shown between them. */
const BATCH = 25_000;

/** All of them: of ten orders, one is cancelled. */
const STATES = 10n;
/** An order passes at most this many moments: placed, shipped, delivered. Its revision counts them. */
const MOST_MOMENTS = 3n;

/**
 * Opens a store with any number of orders, the same for the same number, computed by the database itself.
 * It must run inside one transaction: only its commit makes the store and its key exist.
 */
export async function seedStore(
  connection: Connection,
  { orders, key, at }: SeedStore,
  onProgress: (done: number) => void = () => {},
): Promise<void> {
  const storeId = randomStoreId();
  await connection.all(insertStore, { id: storeId, nextOrderId: BigInt(orders) + 1n, at });
  await connection.all(insertPets, { storeId });
  for (let first = 1; first <= orders; first += BATCH) {
    const last = Math.min(first + BATCH - 1, orders);
    await connection.all(makeOrders, {
      storeId,
      first: BigInt(first),
      last: BigInt(last),
      count: BigInt(orders),
      today: startOfDay(at),
      shift: 0n,
      states: STATES,
    });
    onProgress(last);
  }
  await connection.all(countOrders, { storeId, ...anyId });
  await saveKey(connection, storeId, key, at);
}

const insertStore = query((db, p: { id: bigint; nextOrderId: bigint; at: bigint }) =>
  db.insertInto('stores').values({
    id: p.id,
    owner: null,
    revision: MOST_MOMENTS,
    next_order_id: p.nextOrderId,
    next_pet_id: BigInt(demonstrationPets.length + 1),
    created_at: p.at,
  }),
);
