import { lockingQuery, query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import { saveEvent } from '../stores/account-events.ts';
import { lockSession } from '../stores/account-locks.ts';
import { type NewSession, saveSession } from '../stores/save-session.ts';
import { verb } from '../writer/verb.ts';
import { type KeyDetails, saveKey, works } from './create-key.ts';

interface StartKeySession extends NewSession {
  readonly keyId: string;
}

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

/** Locked, so that a key that is revoked meanwhile ends the session, too. */
const workingKey = lockingQuery((db, p: { keyId: string; at: bigint }) =>
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
);

export const deleteSessionsOpenedWith = query((db, p: { keyId: string }) =>
  db.deleteFrom('sessions').where('key_id', '=', p.keyId),
);

interface MintSessionKey {
  readonly storeId: bigint;
  readonly sessionId: string;
  readonly key: KeyDetails;
  readonly at: bigint;
}

/** Each tab of a browser has a key of its own. */
const MOST_WORKING = 5n;

/** Makes a short-lived key that ends with its session, in place of the oldest one if there are too many. */
export const mintSessionKey = verb(
  'mintSessionKey',
  async (tx, { storeId, sessionId, key, at }: MintSessionKey): Promise<void> => {
    await tx.lockStore(storeId);
    if (!(await lockSession(tx, sessionId))) throw new Refusal('not_found');
    await tx.all(forgetOthers, { sessionId, at, kept: MOST_WORKING - 1n });
    await saveKey(tx, storeId, key, at, { sessionId });
  },
);

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
