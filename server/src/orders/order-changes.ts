import { sql } from 'kysely';
import { eachQuery } from '../database/each-query.ts';
import type { LockedStore, SharedWrite } from '../transaction/locked-store.ts';

interface OrderChanged {
  storeId: bigint;
  revision: bigint;
  orderId: bigint;
}

/** Appends to the log of changes that this revision of the store was about this order. */
export function recordOrderChange(store: LockedStore, orderId: bigint, revision: bigint): void {
  store.writeAtEnd(orderChanges, { storeId: store.id, revision, orderId });
}

const orderChanges: SharedWrite<OrderChanged> = {
  statement: eachQuery<OrderChanged>(
    { storeId: 'bigint', revision: 'bigint', orderId: 'bigint' },
    ({ storeId, revision, orderId }, from) => sql`
      INSERT INTO order_changes (store_id, revision, order_id) SELECT ${storeId}, ${revision}, ${orderId} ${from}`,
  ),
  keyOf: ({ revision }) => revision,
  merge: (change) => change,
};
