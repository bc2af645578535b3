import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import type { Transaction } from '../transaction/transaction.ts';

const markRevoked = query((db, p: { keyId: string; at: bigint }) =>
  db
    .updateTable('keys')
    .set({ revoked_at: p.at })
    .where('id', '=', p.keyId)
    .where('revoked_at', 'is', null)
    .returning('id'),
);

/** From the next request on, the key opens nothing. A key already revoked is not found. */
export async function revokeKey(
  tx: Transaction,
  { keyId, at }: { keyId: string; at: bigint },
): Promise<void> {
  const [revoked] = await tx.all(markRevoked, { keyId, at });
  if (!revoked) throw new Refusal('not_found');
}

const markStoreKeyRevoked = query((db, p: { storeId: bigint; keyId: string; at: bigint }) =>
  db
    .updateTable('keys')
    .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(p.at)) }))
    .where('id', '=', p.keyId)
    .where('store_id', '=', p.storeId)
    .where('session_id', 'is', null)
    .returning('id'),
);

/** The same by the key's owner, who may ask twice. */
export async function revokeStoreKey(
  tx: Transaction,
  { storeId, keyId, at }: { storeId: bigint; keyId: string; at: bigint },
): Promise<void> {
  const store = tx.store(storeId);
  const [revoked] = await store.inTurn(() => tx.all(markStoreKeyRevoked, { storeId, keyId, at }));
  if (!revoked) throw new Refusal('not_found');
}
