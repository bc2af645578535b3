import { sql } from 'kysely';
import { query, raw } from '../database/query.ts';
import { type Order, readColumns } from './order.ts';

const columns = ['id', 'pet_id', 'quantity', 'ship_date', 'status', 'revision'] as const;
type ListedOrder = Omit<Order, 'placed_at' | 'updated_at'> & { revision: bigint };

/** Orders by ascending id. */
export const orderListPage = query((db, p: { storeId: bigint; after: bigint; limit: bigint }) =>
  raw(
    db,
    sql<ListedOrder>`
      SELECT ${readColumns(columns)} FROM orders
      WHERE store_id = ${p.storeId} AND id > ${p.after} ORDER BY id LIMIT ${p.limit}`,
  ),
);
