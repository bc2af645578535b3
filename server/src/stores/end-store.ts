import { query } from '../database/query.ts';
import { deleteRows, updateRows } from '../database/rows.ts';
import type { Transaction } from '../writer/transaction.ts';
import { verb } from '../writer/verb.ts';

/** Ends a store and its keys at once; its rows are then for `eraseStore`. */
export const endStore = verb('endStore', async (tx, { storeId, at }: { storeId: bigint; at: bigint }) => {
  await tx.lockStore(storeId);
  await closeStore(tx, storeId, at);
  await deleteRows(tx, 'keys', { store_id: storeId });
});

export async function closeStore(tx: Transaction, storeId: bigint, at: bigint): Promise<void> {
  await updateRows(tx, 'stores', { id: storeId }, { owner: null, closed_at: at });
  tx.closed.push(storeId);
}

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
