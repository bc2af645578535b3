import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import { type Origin, saveEvent } from '../stores/account-events.ts';
import { type RightTry, settleAttempts } from '../stores/count-attempts.ts';
import { verb } from '../writer/verb.ts';
import { deleteSessionsOf } from './end-session.ts';

interface ChangePassword extends Origin {
  readonly currentHash: string;
  readonly newHash: string;
  readonly sessionId: string;
  readonly token: string;
  readonly attempts: RightTry;
}

export const changePassword = verb('changePassword', async (tx, change: ChangePassword): Promise<void> => {
  const { currentHash, newHash, sessionId, token, attempts, ...by } = change;
  const { accountId } = by;
  const [changed] = await tx.all(replaceHash, { accountId, currentHash, newHash });
  if (!changed) throw new Refusal('not_found');
  await tx.all(endOtherSessions, { accountId, sessionId });
  await tx.all(replaceToken, { sessionId, token });
  await tx.all(endKeys, { sessionId });
  await saveEvent(tx, { ...by, what: 'password_changed' });
  await settleAttempts(tx, attempts);
});

const replaceHash = query((db, p: { accountId: string; currentHash: string; newHash: string }) =>
  db
    .updateTable('credentials')
    .set({ password: p.newHash })
    .where('account_id', '=', p.accountId)
    .where('password', '=', p.currentHash)
    .returning('account_id'),
);

const endOtherSessions = query((db, p: { accountId: string; sessionId: string }) =>
  db.deleteFrom('sessions').where('account_id', '=', p.accountId).where('id', '<>', p.sessionId),
);

const replaceToken = query((db, p: { sessionId: string; token: string }) =>
  db.updateTable('sessions').set({ token: p.token }).where('id', '=', p.sessionId),
);

const endKeys = query((db, p: { sessionId: string }) =>
  db.deleteFrom('keys').where('session_id', '=', p.sessionId),
);

/** Sets a password for someone who has forgotten theirs: only the operator may. Ends every session. */
export const resetPassword = verb(
  'resetPassword',
  async (tx, { email, newHash, at }: { email: string; newHash: string; at: bigint }): Promise<void> => {
    const [account] = await tx.all(setHash, { email, newHash });
    if (!account) throw new Refusal('not_found');
    const { accountId } = account;
    await tx.all(deleteSessionsOf, { accountId });
    await saveEvent(tx, { accountId, address: 'command line', what: 'password_reset', at });
  },
);

const setHash = query((db, p: { email: string; newHash: string }) =>
  db
    .updateTable('credentials')
    .set({ password: p.newHash })
    .where('account_id', 'in', (eb) => eb.selectFrom('accounts').select('id').where('email', '=', p.email))
    .returning('account_id as accountId'),
);
