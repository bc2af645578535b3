import { locked, query } from '../database/query.ts';
import { NO_QUOTA } from '../quotas.ts';
import { Refusal } from '../refusal.ts';
import { type Origin, saveEvent } from '../stores/account-events.ts';
import { verb } from '../writer/verb.ts';
import { type KeyDetails, refuseKeyBeyond, saveKey } from './create-key.ts';
import { endSessionsOf } from './start-key-session.ts';

export interface RollKey {
  readonly storeId: bigint;
  readonly keyId: string;
  /** How many milliseconds the old key goes on working beside the new one. */
  readonly overlap: bigint;
  readonly successor: Pick<KeyDetails, 'hash' | 'lastFour'>;
  readonly at: bigint;
  /** How many working keys the store may have. */
  readonly most?: bigint;
  readonly by?: Origin;
}

type Rolled = Pick<KeyDetails, 'name' | 'scope' | 'expiresAt'> & { keyId: string };

/** Replaces a working key by a new one of the same name, scope and expiry: rolling never prolongs what was granted. */
export const rollKey = verb('rollKey', async (tx, change: RollKey): Promise<Rolled> => {
  const { storeId, keyId, overlap, successor, at, most = NO_QUOTA, by } = change;
  await tx.lockStore(storeId);
  const [old] = await tx.all(findKey, { storeId, keyId });
  if (!old) throw new Refusal('not_found');
  const { revokedAt, ...kept } = old;
  const { expiresAt } = kept;
  if (revokedAt !== null || (expiresAt !== null && expiresAt <= at)) throw new Refusal('key_revoked');
  // One that ends now makes room for its successor.
  if (overlap > 0n) await refuseKeyBeyond(most, tx, storeId, at);
  if (overlap === 0n) await endSessionsOf(tx, keyId);
  const newId = await saveKey(tx, storeId, { ...successor, ...kept }, at);
  await (overlap === 0n
    ? tx.all(endNow, { keyId, at, newId })
    : tx.all(endLater, { keyId, endsAt: least(expiresAt, at + overlap), newId }));
  const made = { id: newId, lastFour: successor.lastFour };
  if (by) await saveEvent(tx, { ...by, what: 'key_rolled', at, key: made });
  return { keyId: newId, ...kept };
});

function least(expiresAt: bigint | null, end: bigint): bigint {
  return expiresAt !== null && expiresAt < end ? expiresAt : end;
}

/** Locked: what is revoked on the command line meanwhile is revoked after all of this, or before. */
const findKey = query((db, p: { storeId: bigint; keyId: string }, engine) =>
  locked(
    engine,
    db
      .selectFrom('keys')
      .select(['name', 'scope', 'expires_at as expiresAt', 'revoked_at as revokedAt'])
      .where('id', '=', p.keyId)
      .where('store_id', '=', p.storeId)
      .where('session_id', 'is', null),
  ),
);

const endNow = query((db, p: { keyId: string; at: bigint; newId: string }) =>
  db.updateTable('keys').set({ revoked_at: p.at, replaced_by: p.newId }).where('id', '=', p.keyId),
);

const endLater = query((db, p: { keyId: string; endsAt: bigint; newId: string }) =>
  db.updateTable('keys').set({ expires_at: p.endsAt, replaced_by: p.newId }).where('id', '=', p.keyId),
);
