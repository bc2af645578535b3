import { deleteRows, lockRows, updateRows } from '../database/rows.ts';
import { Refusal } from '../refusal.ts';
import { type Origin, saveEvent, tellOwner } from '../stores/account-events.ts';
import { verb } from '../writer/verb.ts';
import { stateColumns } from './create-key.ts';

export const revokeKey = verb(
  'revokeKey',
  async (tx, { keyId, at }: { keyId: string; at: bigint }): Promise<void> => {
    const working = { id: keyId, revoked_at: null };
    const [revoked] = await updateRows(tx, 'keys', working, { revoked_at: at }, stateColumns);
    if (!revoked) throw new Refusal('not_found');
    await deleteRows(tx, 'sessions', { key_id: keyId });
    const key = { id: keyId, lastFour: revoked.last_four };
    await tellOwner(tx, revoked.store_id, { address: 'command line', what: 'key_revoked', at, key });
  },
);

type RevokeStoreKey = Origin & { storeId: bigint; keyId: string };

/** Revokes a key for its owner, who may ask twice: null then. */
export const revokeStoreKey = verb(
  'revokeStoreKey',
  async (tx, { storeId, keyId, ...by }: RevokeStoreKey) => {
    await tx.lockStore(storeId);
    const own = { id: keyId, store_id: storeId, session_id: null };
    const [key] = await lockRows(tx, 'keys', own, stateColumns);
    if (!key) throw new Refusal('not_found');
    if (key.revoked_at !== null) return null;
    await updateRows(tx, 'keys', own, { revoked_at: by.at });
    await deleteRows(tx, 'sessions', { key_id: keyId });
    return saveEvent(tx, { ...by, what: 'key_revoked', key: { id: keyId, lastFour: key.last_four } });
  },
);
