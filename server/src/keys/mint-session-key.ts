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

/** A short-lived key that ends with its session, in place of the oldest one if it has too many that work. */
export async function mintSessionKey(
  tx: Transaction,
  { storeId, sessionId, key, at }: MintSessionKey,
): Promise<void> {
  const store = tx.store(storeId);
  await store.inTurn(async () => {
    if (!(await lockSession(tx, sessionId))) throw new Refusal('not_found');
    await tx.all(forgetOthers, { sessionId, at, kept: WORKING - 1n });
    await saveKey(tx, store.id, key, at, sessionId);
  });
}

/** Each tab of a browser has one of its own. */
const WORKING = 5n;

const forgetOthers = query((db, p: { sessionId: string; at: bigint; kept: bigint }) =>
  db
    .deleteFrom('keys')
    .where('session_id', '=', p.sessionId)
    .where('expires_at', '>', p.at)
    .where('hash', 'not in', (eb) =>
      eb
        .selectFrom('keys')
        .select('hash')
        .where('session_id', '=', p.sessionId)
        .where('expires_at', '>', p.at)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(p.kept),
    ),
);
