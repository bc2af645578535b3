import { sql } from 'kysely';
import { query, raw } from '../database/query.ts';
import type { Order } from '../orders/order.ts';
import type { Pet } from '../pets/pet.ts';

/** What a summary counts of an order. */
export type CountedOrder = Pick<Order, 'id' | 'status' | 'ship_date'>;

/** Orders by ascending id. */
export const countedOrders = query((db, p: { storeId: bigint; after: bigint; limit: bigint }) =>
  raw(
    db,
    sql<CountedOrder>`
      SELECT id, status, ship_date FROM orders
      WHERE store_id = ${p.storeId} AND id > ${p.after} ORDER BY id LIMIT ${p.limit}`,
  ),
);

export const storeRevision = query((db, p: { storeId: bigint }) =>
  db.selectFrom('stores').select('revision').where('id', '=', p.storeId),
);

/** A change of an order, by the type of its event. */
export interface CountedChange {
  readonly what: string;
  readonly id: bigint;
  readonly ship_date: bigint;
}

/** What happened to orders after one revision and up to another, in its order. */
export const ordersMoved = query((db, p: { storeId: bigint; after: bigint; upTo: bigint }) =>
  raw(
    db,
    sql<CountedChange>`
      SELECT type AS what, order_id AS id, ship_date FROM changes
      WHERE store_id = ${p.storeId} AND revision > ${p.after} AND revision <= ${p.upTo} AND order_id IS NOT NULL
      ORDER BY revision`,
  ),
);

/** A `CountedChange`; as `pet`, a pet that changed; or, as `store`, the revision that all of this is as of. */
export interface Happened extends Nullable<Pet & Omit<CountedChange, 'what'>> {
  readonly what: string;
  readonly revision: bigint;
}
type Nullable<T> = { [K in keyof T]: T[K] | null };

/**
 * All that happened after a revision. One statement sees one moment: orders, stock and revision belong together. Stock
 * is what the pets have now: the log has an order's units, but not when the end of a group gave them back.
 */
export const changedSince = query((db, p: { storeId: bigint; after: bigint; stockAfter: bigint }) =>
  raw(
    db,
    sql<Happened>`
      SELECT 'pet' AS what, id, name, category, stock, CAST(NULL AS bigint) AS ship_date, pets.revision FROM pets
        WHERE pets.store_id = ${p.storeId} AND pets.revision > ${p.stockAfter}
      UNION ALL
      SELECT type, order_id, NULL, NULL, NULL, ship_date, revision FROM changes
        WHERE store_id = ${p.storeId} AND revision > ${p.after} AND order_id IS NOT NULL
      UNION ALL
      SELECT 'store', NULL, NULL, NULL, NULL, NULL, revision FROM stores WHERE id = ${p.storeId}
      ORDER BY revision`,
  ),
);
