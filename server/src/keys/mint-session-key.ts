import { lockSession } from '../accounts/locks.ts';
import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { type KeyDetails, saveKey } from './create-key.ts';

export interface MintSessionKey {
  readonly storeId: bigint;
  readonly sessionId: string;
  readonly key: KeyDetails;
  readonly at: bigint;
}

/** A short-lived key that ends with its session, in place of the session's expired ones. */
export async function mintSessionKey(
  tx: Transaction,
  { storeId, sessionId, key, at }: MintSessionKey,
): Promise<void> {
  const store = tx.store(storeId).id;
  if (!(await lockSession(tx, sessionId))) throw new Refusal('not_found');
  await tx.all(forgetExpired, { sessionId, at });
  await saveKey(tx, store, key, at, sessionId);
}

const forgetExpired = query((db, p: { sessionId: string; at: bigint }) =>
  db.deleteFrom('keys').where('session_id', '=', p.sessionId).where('expires_at', '<=', p.at),
);
