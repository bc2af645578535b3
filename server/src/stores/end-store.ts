import { query } from '../database/query.ts';
import { verb } from '../writer/verb.ts';

/** Ends a store and its keys at once; its rows are then for `eraseStore`. */
export const endStore = verb('endStore', async (tx, { storeId, at }: { storeId: bigint; at: bigint }) => {
  await tx.lockStore(storeId);
  await tx.all(deleteKeys, { storeId });
  await tx.all(closeStore, { storeId, at });
  tx.closed.push(storeId);
});

export const deleteKeys = query((db, p: { storeId: bigint }) =>
  db.deleteFrom('keys').where('store_id', '=', p.storeId),
);

export const closeStore = query((db, p: { storeId: bigint; at: bigint }) =>
  db.updateTable('stores').set({ owner: null, closed_at: p.at }).where('id', '=', p.storeId),
);

export const endedStores = query((db, p: { now: bigint }) =>
  db.selectFrom('stores').select('id').where('ends_at', '<=', p.now).where('closed_at', 'is', null),
);

export const endStoresBeside = query((db, p: { tenantId: bigint; at: bigint }) =>
  db
    .updateTable('stores')
    .set({ ends_at: p.at })
    .where('tenant_id', '=', p.tenantId)
    .where('ends_at', '>', p.at),
);
