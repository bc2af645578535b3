import { query } from '../database/query.ts';

const columns = ['id', 'pet_id', 'quantity', 'ship_date', 'status', 'revision'] as const;

/** Orders by ascending id. */
export const orderListPage = query((db, p: { storeId: bigint; after: bigint; limit: bigint }) =>
  db
    .selectFrom('orders')
    .select(columns)
    .where('store_id', '=', p.storeId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

/** Orders that changed after a revision, in the order in which they did. */
export const ordersChangedSince = query((db, p: { storeId: bigint; revision: bigint; limit: bigint }) =>
  db
    .selectFrom('changes as change')
    .innerJoin('orders', (join) =>
      join
        .onRef('orders.store_id', '=', 'change.store_id')
        .onRef('orders.id', '=', 'change.order_id')
        // Of several changes to one order, only the last has made it what it is.
        .onRef('orders.revision', '=', 'change.revision'),
    )
    .select(columns.map((column) => `orders.${column}` as const))
    .where('change.store_id', '=', p.storeId)
    .where('change.revision', '>', p.revision)
    .orderBy('change.revision')
    .limit(p.limit),
);
