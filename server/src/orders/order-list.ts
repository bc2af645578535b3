import { sql } from 'kysely';
import { query, raw } from '../database/query.ts';
import type { Order } from './order.ts';

const columns = sql.join(
  ['id', 'pet_id', 'quantity', 'ship_date', 'status', 'revision'].map((column) =>
    sql.ref(`orders.${column}`),
  ),
);
type ListedOrder = Omit<Order, 'placed_at' | 'updated_at'> & { revision: bigint };

/** Orders by ascending id. */
export const orderListPage = query((db, p: { storeId: bigint; after: bigint; limit: bigint }) =>
  raw(
    db,
    sql<ListedOrder>`
      SELECT ${columns} FROM orders
      WHERE store_id = ${p.storeId} AND id > ${p.after} ORDER BY id LIMIT ${p.limit}`,
  ),
);
