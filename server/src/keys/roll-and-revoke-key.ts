import { deleteRows, lockRows, updateRows } from '../database/rows.ts';
import { Refusal } from '../refusal.ts';
import { type Origin, saveEvent, tellOwner } from '../stores/account-events.ts';
import { verb } from '../writer/verb.ts';
import { isWorking, type KeyDetails, refuseKeyBeyond, saveKey, stateColumns } from './create-key.ts';

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

type OwnKey = Origin & { storeId: bigint; keyId: string };

/** Revokes a key for its owner, who may ask twice: null then. */
export const revokeStoreKey = verb('revokeStoreKey', async (tx, { storeId, keyId, ...by }: OwnKey) => {
  await tx.lockStore(storeId);
  const own = { id: keyId, store_id: storeId, session_id: null };
  const [key] = await lockRows(tx, 'keys', own, stateColumns);
  if (!key) throw new Refusal('not_found');
  if (key.revoked_at !== null) return null;
  await updateRows(tx, 'keys', own, { revoked_at: by.at });
  await deleteRows(tx, 'sessions', { key_id: keyId });
  return saveEvent(tx, { ...by, what: 'key_revoked', key: { id: keyId, lastFour: key.last_four } });
});

interface RollKey extends OwnKey {
  readonly overlapMs: bigint;
  readonly successor: Pick<KeyDetails, 'hash' | 'last_four'>;
  readonly most: bigint;
}

/** Replaces a working key by a new one of the same name, scope and expiry: rolling never prolongs what was granted. */
export const rollKey = verb('rollKey', async (tx, change: RollKey) => {
  const { storeId, keyId, overlapMs, successor, most, ...by } = change;
  const { at } = by;
  const isAtOnce = overlapMs === 0n;
  await tx.lockStore(storeId);
  const own = { id: keyId, store_id: storeId, session_id: null };
  const [old] = await lockRows(tx, 'keys', own, ['name', 'scope', ...stateColumns]);
  if (!old) throw new Refusal('not_found');
  if (!isWorking(old, at)) throw new Refusal('key_revoked');
  const { name, scope, expires_at } = old;
  // One that ends now makes room for its successor.
  if (isAtOnce) await deleteRows(tx, 'sessions', { key_id: keyId });
  else await refuseKeyBeyond(tx, { storeId, at, most });
  const made = await saveKey(tx, storeId, { ...successor, name, scope, expires_at }, at);
  const overlapEnd = expires_at !== null && expires_at < at + overlapMs ? expires_at : at + overlapMs;
  const end = isAtOnce ? { revoked_at: at } : { expires_at: overlapEnd };
  await updateRows(tx, 'keys', own, { ...end, replaced_by: made.id });
  await saveEvent(tx, { ...by, what: 'key_rolled', key: made });
  return { keyId: made.id, name, scope, expiresAt: expires_at };
});
