import { sql } from 'kysely';
import { query, raw } from '../database/query.ts';
import type { Schema } from '../database/schema.ts';

/** What version 1 reads of orders and pets. It names its columns: those that come later are not for it. */

type ListedOrder = Pick<Schema['orders'], 'id' | 'pet_id' | 'quantity' | 'ship_date' | 'status' | 'revision'>;

/** Orders by ascending id. */
export const orderListPage = query((db, p: { storeId: bigint; after: bigint; limit: bigint }) =>
  raw(
    db,
    sql<ListedOrder>`
      SELECT id, pet_id, quantity, ship_date, status, revision FROM orders
      WHERE store_id = ${p.storeId} AND id > ${p.after} ORDER BY id LIMIT ${p.limit}`,
  ),
);

/** Pets by ascending id. */
export const petListPage = query((db, p: { storeId: bigint; after: bigint; limit: bigint }) =>
  db
    .selectFrom('pets')
    .select(['id', 'name', 'category', 'stock', 'revision'])
    .where('store_id', '=', p.storeId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);
