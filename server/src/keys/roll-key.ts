import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { type KeyDetails, saveKey } from './create-key.ts';
import type { KeyScope } from './scopes.ts';

export interface RollKey {
  readonly storeId: bigint;
  readonly keyId: string;
  /** How many milliseconds the old key goes on working beside the new one. */
  readonly overlap: bigint;
  readonly successor: Pick<KeyDetails, 'hash' | 'lastFour'>;
  readonly at: bigint;
}

/** Replaces a working key by a new one of the same name, scope and expiry: rolling never prolongs what was granted. */
export async function rollKey(
  tx: Transaction,
  { storeId, keyId, overlap, successor, at }: RollKey,
): Promise<{ keyId: string; name: string; scope: KeyScope; expiresAt: bigint | null }> {
  const store = tx.store(storeId).id;
  const [old] = await tx.all(findKey, { storeId: store, keyId });
  if (!old) throw new Refusal('not_found');
  const { name, scope, expiresAt } = old;
  // The condition is in the statement: of two that end the same key at once, one finds it ended.
  const [ended] = await (overlap === 0n
    ? tx.all(endNow, { keyId, at })
    : tx.all(endLater, { keyId, at, endsAt: least(expiresAt, at + overlap) }));
  if (!ended) throw new Refusal('key_revoked');
  const kept = { name, scope, expiresAt };
  return { keyId: await saveKey(tx, store, { ...successor, ...kept }, at), ...kept };
}

function least(expiresAt: bigint | null, end: bigint): bigint {
  return expiresAt !== null && expiresAt < end ? expiresAt : end;
}

const findKey = query((db, p: { storeId: bigint; keyId: string }) =>
  db
    .selectFrom('keys')
    .select(['name', 'scope', 'expires_at as expiresAt'])
    .where('id', '=', p.keyId)
    .where('store_id', '=', p.storeId)
    .where('session_id', 'is', null),
);

const endNow = query((db, p: { keyId: string; at: bigint }) =>
  db
    .updateTable('keys')
    .set({ revoked_at: p.at })
    .where('id', '=', p.keyId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', p.at)]))
    .returning('id'),
);

const endLater = query((db, p: { keyId: string; at: bigint; endsAt: bigint }) =>
  db
    .updateTable('keys')
    .set({ expires_at: p.endsAt })
    .where('id', '=', p.keyId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', p.at)]))
    .returning('id'),
);
