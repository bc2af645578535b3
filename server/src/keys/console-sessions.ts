import { sql } from 'kysely';
import { query } from '../database/query.ts';
import { deleteRows, deletingSome, insertRow, lockRows } from '../database/rows.ts';
import { Refusal } from '../refusal.ts';
import { tellOwner } from '../stores/account-events.ts';
import type { Transaction } from '../writer/transaction.ts';
import { verb } from '../writer/verb.ts';
import { isWorking, type KeyDetails, NEWEST_FIRST, saveKey, stateColumns } from './create-key.ts';

export interface NewSession {
  readonly id: string;
  readonly token: string;
  /** The session that the browser came with, if any: it ends as this one starts. */
  readonly replaces: string | null;
  readonly at: bigint;
  readonly expiresAt: bigint;
  readonly address: string;
  readonly agent: string;
}

type Owner = { accountId: string | null; keyId: string | null };

const MOST_OF_OWNER = 100;

export async function saveSession(tx: Transaction, session: NewSession, owner: Owner): Promise<void> {
  const { id, token, replaces, at, expiresAt, address, agent } = session;
  const times = { created_at: at, expires_at: expiresAt, seen_at: at };
  const of = { account_id: owner.accountId, key_id: owner.keyId };
  await insertRow(tx, 'sessions', { id, token, ...of, ...times, address, agent });
  if (replaces !== null) await deleteRows(tx, 'sessions', { token: replaces });
  await tx.all(endOldest, { ...owner });
}

const endOldest = query((_, p: Owner) => {
  const own = sql`(account_id = ${p.accountId} OR key_id = ${p.keyId})`;
  return deletingSome('sessions', own, { key: 'id', order: 'created_at DESC, id DESC', skip: MOST_OF_OWNER });
});

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
