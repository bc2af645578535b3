import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import { saveEvent } from '../stores/account-events.ts';
import { verb } from '../writer/verb.ts';
import { endEverySession } from './end-session.ts';

export interface ResetPassword {
  readonly email: string;
  readonly newHash: string;
  readonly at: bigint;
}

/** Sets a password for someone who has forgotten theirs: only the operator may. Ends every session. */
export const resetPassword = verb(
  'resetPassword',
  async (tx, { email, newHash, at }: ResetPassword): Promise<void> => {
    const [account] = await tx.all(setHash, { email, newHash });
    if (!account) throw new Refusal('not_found');
    const { accountId } = account;
    await endEverySession(tx, accountId);
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
