import { lockingQuery } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import { saveEvent } from '../stores/account-events.ts';
import { lockAccount } from '../stores/account-locks.ts';
import { type RightTry, settleAttempts } from '../stores/count-attempts.ts';
import { type NewSession, saveSession } from '../stores/save-session.ts';
import { verb } from '../writer/verb.ts';

interface StartSession extends NewSession {
  readonly accountId: string;
  readonly passwordHash: string;
  readonly attempts: RightTry;
}

export const startSession = verb('startSession', async (tx, start: StartSession): Promise<void> => {
  const { accountId, passwordHash, attempts, ...session } = start;
  await lockAccount(tx, accountId);
  const [right] = await tx.all(rightPassword, { accountId, passwordHash });
  if (!right) throw new Refusal('not_found');
  await saveSession(tx, session, { accountId, keyId: null });
  await saveEvent(tx, { accountId, address: session.address, what: 'signed_in', at: session.at });
  await settleAttempts(tx, attempts);
});

/** Locked: the password is changed before, or after all of this, and then ends the session. */
const rightPassword = lockingQuery((db, p: { accountId: string; passwordHash: string }) =>
  db
    .selectFrom('credentials')
    .select('account_id')
    .where('account_id', '=', p.accountId)
    .where('password', '=', p.passwordHash),
);
