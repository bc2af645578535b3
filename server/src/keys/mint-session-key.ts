import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import { lockSession } from '../stores/account-locks.ts';
import { verb } from '../writer/verb.ts';
import { type KeyDetails, saveKey } from './create-key.ts';

export interface MintSessionKey {
  readonly storeId: bigint;
  readonly sessionId: string;
  readonly key: KeyDetails;
  readonly at: bigint;
}

/** A short-lived key that ends with its session, in place of the oldest one if it has too many that work. */
export const mintSessionKey = verb(
  'mintSessionKey',
  async (tx, { storeId, sessionId, key, at }: MintSessionKey): Promise<void> => {
    await tx.lockStore(storeId);
    if (!(await lockSession(tx, sessionId))) throw new Refusal('not_found');
    await tx.all(forgetOthers, { sessionId, at, kept: WORKING - 1n });
    await saveKey(tx, storeId, key, at, sessionId);
  },
);

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
