import { sql } from 'kysely';
import { query } from '../database/query.ts';
import { deletingSome, lockRows } from '../database/rows.ts';
import { Refusal } from '../refusal.ts';
import { tellOwner } from '../stores/account-events.ts';
import { type NewSession, saveSession } from '../stores/save-session.ts';
import { verb } from '../writer/verb.ts';
import { isWorking, type KeyDetails, NEWEST_FIRST, saveKey, stateColumns } from './create-key.ts';

export const startKeySession = verb(
  'startKeySession',
  async (tx, { keyId, ...session }: NewSession & { keyId: string }): Promise<void> => {
    const { at, address } = session;
    // Locked, so that a key that is revoked meanwhile ends the session, too.
    const [key] = await lockRows(tx, 'keys', { id: keyId, session_id: null }, stateColumns);
    if (!key || !isWorking(key, at)) throw new Refusal('not_found');
    await saveSession(tx, session, { accountId: null, keyId });
    const opened = { id: keyId, lastFour: key.last_four };
    await tellOwner(tx, key.store_id, { address, what: 'opened_with_key', at, key: opened });
  },
);

type MintSessionKey = { storeId: bigint; sessionId: string; key: KeyDetails; at: bigint };

/** Each tab of a browser has a key of its own. */
const MOST_WORKING = 5;

/** Makes a short-lived key that ends with its session, in place of the oldest one if there are too many. */
export const mintSessionKey = verb(
  'mintSessionKey',
  async (tx, { storeId, sessionId, key, at }: MintSessionKey): Promise<void> => {
    await tx.lockStore(storeId);
    const [session] = await lockRows(tx, 'sessions', { id: sessionId }, ['id']);
    if (!session) throw new Refusal('not_found');
    await tx.all(forgetOthers, { sessionId, at });
    await saveKey(tx, storeId, key, at, { sessionId });
  },
);

const forgetOthers = query((_, p: { sessionId: string; at: bigint }) => {
  const working = sql`session_id = ${p.sessionId} AND expires_at > ${p.at}`;
  return deletingSome('keys', working, { key: 'hash', order: NEWEST_FIRST, skip: MOST_WORKING - 1 });
});
