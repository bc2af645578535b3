import { locked, query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import { saveEvent } from '../stores/account-events.ts';
import { type NewSession, saveSession } from '../stores/save-session.ts';
import type { Transaction } from '../writer/transaction.ts';
import { verb } from '../writer/verb.ts';
import { works } from './create-key.ts';

interface StartKeySession extends NewSession {
  readonly keyId: string;
}

/** Starts a console session that opens a key's store for as long as the key works. */
export const startKeySession = verb(
  'startKeySession',
  async (tx, { keyId, ...session }: StartKeySession): Promise<void> => {
    const { at, address } = session;
    const [key] = await tx.all(workingKey, { keyId, at });
    if (!key) throw new Refusal('not_found');
    await saveSession(tx, session, { accountId: null, keyId });
    const { accountId, lastFour } = key;
    if (accountId !== null)
      await saveEvent(tx, { accountId, address, what: 'opened_with_key', at, key: { id: keyId, lastFour } });
  },
);

/** Ends every session that a key opened, and their own keys with them: to be called where the key ends. */
export async function endSessionsOf(tx: Transaction, keyId: string): Promise<void> {
  await tx.all(deleteSessions, { keyId });
}

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

const deleteSessions = query((db, p: { keyId: string }) =>
  db.deleteFrom('sessions').where('key_id', '=', p.keyId),
);
