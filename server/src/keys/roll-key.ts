import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import { type Origin, saveEvent } from '../stores/account-events.ts';
import { verb } from '../writer/verb.ts';
import { deleteSessionsOpenedWith } from './console-sessions.ts';
import { type KeyDetails, keyOfStore, refuseKeyBeyond, saveKey } from './create-key.ts';

interface RollKey extends Origin {
  readonly storeId: bigint;
  readonly keyId: string;
  readonly overlapMs: bigint;
  readonly successor: Pick<KeyDetails, 'hash' | 'lastFour'>;
  readonly most: bigint;
}

/** Replaces a working key by a new one of the same name, scope and expiry: rolling never prolongs what was granted. */
export const rollKey = verb('rollKey', async (tx, change: RollKey) => {
  const { storeId, keyId, overlapMs, successor, most, ...by } = change;
  const { at } = by;
  const isAtOnce = overlapMs === 0n;
  await tx.lockStore(storeId);
  const [old] = await tx.all(keyOfStore, { storeId, keyId });
  if (!old) throw new Refusal('not_found');
  const { name, scope, expiresAt, revokedAt } = old;
  if (revokedAt !== null || (expiresAt !== null && expiresAt <= at)) throw new Refusal('key_revoked');
  // One that ends now makes room for its successor.
  if (isAtOnce) await tx.all(deleteSessionsOpenedWith, { keyId });
  else await refuseKeyBeyond(most, tx, storeId, at);
  const kept = { name, scope, expiresAt };
  const newId = await saveKey(tx, storeId, { ...successor, ...kept }, at);
  const overlapEnd = expiresAt !== null && expiresAt < at + overlapMs ? expiresAt : at + overlapMs;
  await tx.all(endKey, {
    keyId,
    revokedAt: isAtOnce ? at : null,
    expiresAt: isAtOnce ? expiresAt : overlapEnd,
    newId,
  });
  const made = { id: newId, lastFour: successor.lastFour };
  await saveEvent(tx, { ...by, what: 'key_rolled', key: made });
  return { keyId: newId, ...kept };
});

type End = { keyId: string; revokedAt: bigint | null; expiresAt: bigint | null; newId: string };

const endKey = query((db, p: End) =>
  db
    .updateTable('keys')
    .set({ revoked_at: p.revokedAt, expires_at: p.expiresAt, replaced_by: p.newId })
    .where('id', '=', p.keyId),
);
