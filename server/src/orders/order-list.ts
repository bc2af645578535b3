import { query } from '../database/query.ts';

const columns = ['id', 'pet_id', 'quantity', 'ship_date', 'status', 'revision'] as const;

/** Orders by ascending id. */
export const orderPage = query((db, p: { storeId: bigint; after: bigint; limit: bigint }) =>
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
    .selectFrom('orders')
    .select(columns)
    .where('store_id', '=', p.storeId)
    .where('revision', '>', p.revision)
    .orderBy('revision')
    .limit(p.limit),
);
