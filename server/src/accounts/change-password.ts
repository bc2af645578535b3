import { query } from '../database/query.ts';
import { deleteRows, findRows, updateRows } from '../database/rows.ts';
import { Refusal } from '../refusal.ts';
import { type Origin, saveEvent } from '../stores/account-events.ts';
import { type RightTry, settleAttempts } from '../stores/count-attempts.ts';
import { verb } from '../writer/verb.ts';
import { lockAccount } from './open-and-close-account.ts';

interface ChangePassword extends Origin {
  readonly currentHash: string;
  readonly newHash: string;
  readonly sessionId: string;
  readonly token: string;
  readonly attempts: RightTry;
}

export const changePassword = verb('changePassword', async (tx, change: ChangePassword) => {
  const { currentHash, newHash, sessionId, token, attempts, ...by } = change;
  const { accountId } = by;
  await lockAccount(tx, accountId, currentHash);
  await updateRows(tx, 'credentials', { account_id: accountId }, { password: newHash });
  await tx.all(endOtherSessions, { accountId, sessionId });
  await updateRows(tx, 'sessions', { id: sessionId }, { token });
  await deleteRows(tx, 'keys', { session_id: sessionId });
  await settleAttempts(tx, attempts);
  return saveEvent(tx, { ...by, what: 'password_changed' });
});

const endOtherSessions = query((db, p: { accountId: string; sessionId: string }) =>
  db.deleteFrom('sessions').where('account_id', '=', p.accountId).where('id', '<>', p.sessionId),
);

/** Sets a password for someone who has forgotten theirs: only the operator may. Ends every session. */
export const resetPassword = verb(
  'resetPassword',
  async (tx, { email, newHash, at }: { email: string; newHash: string; at: bigint }): Promise<void> => {
    const [account] = await findRows(tx, 'accounts', { email }, ['id']);
    if (!account) throw new Refusal('not_found');
    const { id: accountId } = account;
    const own = { account_id: accountId };
    const [changed] = await updateRows(tx, 'credentials', own, { password: newHash }, ['account_id']);
    // The account was closed while its row was waited for.
    if (!changed) throw new Refusal('not_found');
    await deleteRows(tx, 'sessions', own);
    await saveEvent(tx, { accountId, address: 'command line', what: 'password_reset', at });
  },
);
