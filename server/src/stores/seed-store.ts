import { sql } from 'kysely';
import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import { type KeyDetails, saveKey } from '../keys/create-key.ts';
import { makeZones } from '../orders/order-zones.ts';
import { demonstrationPets } from './demonstration-data.ts';
import { insertPets, randomStoreId } from './open-store.ts';

export interface SeedStore {
  readonly orders: number;
  readonly key: KeyDetails;
  readonly at: bigint;
}

/** Orders made by one statement: each is quick, so that progress can be shown between them. */
const BATCH = 25_000;

/** Orders spread evenly over these days, the oldest first. */
const FIRST_DAY = BigInt(Date.parse('2020-01-01T00:00:00Z'));
const LAST_DAY = BigInt(Date.parse('2026-10-01T00:00:00Z'));
const SECONDS = (LAST_DAY - FIRST_DAY) / 1000n;

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
    });
    onProgress(last);
  }
  await connection.all(makeZones, { storeId });
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

const HOUR = sql.lit(3_600_000);
const DAY = sql.lit(86_400_000);
const pets = sql.lit(demonstrationPets.length);

/**
 * `n` is the order's number, `h` a number below 65536 scattered by multiplying with 2^32 / golden ratio.
 * Of ten orders, four are pending, two shipped, three delivered and one is cancelled.
 */
const makeOrders = query((db, p: { storeId: bigint; first: bigint; last: bigint; count: bigint }) => {
  const int = (value: bigint) => sql<bigint>`CAST(${value} AS bigint)`;
  return db
    .insertInto('orders')
    .columns([
      'store_id',
      'id',
      'pet_id',
      'quantity',
      'ship_date',
      'status',
      'placed_at',
      'updated_at',
      'revision',
    ])
    .expression(
      sql`
        WITH RECURSIVE numbers (n) AS (
          SELECT ${int(p.first)} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${int(p.last)}
        ), scattered (n, h, placed) AS (
          SELECT n, n * 2654435769 % 4294967296 / 65536,
            ${sql.lit(FIRST_DAY)} + n * ${sql.lit(SECONDS)} / ${int(p.count)} * 1000
          FROM numbers
        ), orders_made (n, h, placed, state, ship) AS (
          SELECT n, h, placed, h % 10, placed + (1 + h % 41) * ${DAY} + h % 24 * ${HOUR} FROM scattered
        )
        SELECT ${int(p.storeId)}, n, 1 + h / 10 % ${pets}, 1 + h / 120 % 5, ship,
          CASE WHEN state < 4 THEN 'pending' WHEN state < 6 THEN 'shipped'
            WHEN state < 9 THEN 'delivered' ELSE 'cancelled' END,
          placed,
          CASE WHEN state < 4 THEN placed WHEN state < 6 THEN ship
            WHEN state < 9 THEN ship + 3 * ${DAY} ELSE placed + 6 * ${HOUR} END,
          CASE WHEN state < 4 THEN 1 WHEN state < 6 THEN 2 WHEN state < 9 THEN 3 ELSE 2 END
        FROM orders_made`,
    );
});
