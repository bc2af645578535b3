import { locked, query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import { saveEvent } from '../stores/account-events.ts';
import type { Transaction } from '../writer/transaction.ts';
import { verb } from '../writer/verb.ts';
import { works } from './create-key.ts';

export interface StartKeySession {
  readonly id: string;
  readonly keyId: string;
  /** The hash of what the browser holds. */
  readonly token: string;
  /** The session that the browser came with, if any: it ends as this one starts. */
  readonly replaces: string | null;
  readonly at: bigint;
  readonly expiresAt: bigint;
  readonly address: string;
  readonly agent: string;
}

/** Starts a console session that opens a key's store for as long as the key works. */
export const startKeySession = verb(
  'startKeySession',
  async (tx, { replaces, ...session }: StartKeySession): Promise<void> => {
    const { keyId, at, address } = session;
    const [key] = await tx.all(workingKey, { keyId, at });
    if (!key) throw new Refusal('not_found');
    await tx.all(insertSession, session);
    await tx.all(forgetReplaced, { replaces: replaces ?? '' });
    await tx.all(forgetOldest, { keyId, kept: MOST_SESSIONS });
    const what = 'opened_with_key';
    if (key.accountId !== null)
      await saveEvent(tx, {
        accountId: key.accountId,
        address,
        what,
        at,
        key: { id: keyId, lastFour: key.lastFour },
      });
  },
);

/** Ends every session that a key opened, and their own keys with them: to be called where the key ends. */
export async function endSessionsOf(tx: Transaction, keyId: string): Promise<void> {
  await tx.all(deleteSessions, { keyId });
}

/** Of one key; the oldest end when there are more. */
const MOST_SESSIONS = 100n;

/** Locked: a key that is revoked meanwhile is revoked after all of this, and ends the session, or before. */
const workingKey = query((db, p: { keyId: string; at: bigint }, engine) =>
  locked(
    engine,
    db
      .selectFrom('keys')
      .select((eb) => [
        'last_four as lastFour',
        eb
          .selectFrom('stores')
          .innerJoin('accounts', 'accounts.id', 'stores.owner')
          .select('accounts.id')
          .whereRef('stores.id', '=', 'keys.store_id')
          .as('accountId'),
      ])
      .where('id', '=', p.keyId)
      .where('session_id', 'is', null)
      .where((eb) => works(eb, p.at)),
  ),
);

const insertSession = query((db, p: Omit<StartKeySession, 'replaces'>) =>
  db.insertInto('sessions').values({
    id: p.id,
    account_id: null,
    key_id: p.keyId,
    token: p.token,
    created_at: p.at,
    expires_at: p.expiresAt,
    seen_at: p.at,
    address: p.address,
    agent: p.agent,
  }),
);

const forgetReplaced = query((db, p: { replaces: string }) =>
  db.deleteFrom('sessions').where('token', '=', p.replaces),
);

const forgetOldest = query((db, p: { keyId: string; kept: bigint }) =>
  db
    .deleteFrom('sessions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('id')
        .where('key_id', '=', p.keyId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(100)
        .offset(p.kept),
    ),
);

const deleteSessions = query((db, p: { keyId: string }) =>
  db.deleteFrom('sessions').where('key_id', '=', p.keyId),
);
