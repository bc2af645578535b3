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

/** Orders that changed after a revision, in the order in which they did. */
export const ordersChangedSince = query((db, p: { storeId: bigint; revision: bigint; limit: bigint }) =>
  // Of several changes to one order, only the last has made it what it is.
  raw(
    db,
    sql<ListedOrder>`
        SELECT ${readColumns(columns)} FROM changes AS change
        INNER JOIN orders ON orders.store_id = change.store_id AND orders.id = change.order_id
          AND orders.revision = change.revision
        WHERE change.store_id = ${p.storeId} AND change.revision > ${p.revision}
        ORDER BY change.revision LIMIT ${p.limit}`,
  ),
);
