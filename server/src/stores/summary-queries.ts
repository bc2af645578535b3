import { sql } from 'kysely';
import { query, raw } from '../database/query.ts';
import type { OrderStatus } from '../orders/states.ts';

/** What a summary counts of an order. */
export interface CountedOrder {
  readonly id: bigint;
  readonly status: OrderStatus;
  readonly ship_date: bigint;
}

/** Orders by ascending id. */
export const countedOrders = query((db, p: { storeId: bigint; after: bigint; limit: bigint }) =>
  db
    .selectFrom('orders')
    .select(['id', 'status', 'ship_date'])
    .where('store_id', '=', p.storeId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

/** Pets by ascending id. */
export const countedPets = query((db, p: { storeId: bigint; after: bigint; limit: bigint }) =>
  db
    .selectFrom('pets')
    .select(['id', 'stock'])
    .where('store_id', '=', p.storeId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

export const storeRevision = query((db, p: { storeId: bigint }) =>
  db.selectFrom('stores').select('revision').where('id', '=', p.storeId),
);

/** A change of an order, by the type of its event; the stock of a pet; or, as `store`, the store's revision. */
export interface CountedChange {
  readonly what: string;
  readonly id: bigint;
  /** The ship date, the stock or the revision. */
  readonly value: bigint;
}

/** What happened to orders after one revision and up to another, in its order. */
export const ordersMoved = query((db, p: { storeId: bigint; after: bigint; upTo: bigint }) =>
  raw<CountedChange>(
    db,
    sql`SELECT type AS what, order_id AS id, ship_date AS value FROM changes
      WHERE store_id = ${p.storeId} AND revision > ${p.after} AND revision <= ${p.upTo} AND order_id IS NOT NULL
      ORDER BY revision`,
  ),
);

/**
 * All that happened after a revision. One statement sees one moment: orders, stock and revision belong together. Stock
 * is what the pets have now: the log has an order's units, but not when the end of a group gave them back.
 */
export const changedSince = query((db, p: { storeId: bigint; after: bigint; stockAfter: bigint }) =>
  raw<CountedChange>(
    db,
    sql`SELECT what, id, value FROM (
        SELECT type AS what, order_id AS id, ship_date AS value, revision FROM changes
          WHERE store_id = ${p.storeId} AND revision > ${p.after} AND order_id IS NOT NULL
        UNION ALL
        SELECT 'stock', id, stock, revision FROM pets
          WHERE store_id = ${p.storeId} AND revision > ${p.stockAfter}
        UNION ALL
        SELECT 'store', id, revision, revision FROM stores WHERE id = ${p.storeId}
      ) AS happened ORDER BY revision`,
  ),
);
