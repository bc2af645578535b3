import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import type { Transaction } from '../transaction/transaction.ts';

export interface ChangePassword {
  readonly accountId: string;
  /** The hash that the current password was checked against. */
  readonly currentHash: string;
  readonly newHash: string;
  /** The one session that goes on. */
  readonly sessionId: string;
}

/** Sets a new password and ends every other session, at once. */
export async function changePassword(tx: Transaction, change: ChangePassword): Promise<void> {
  const { accountId, currentHash, newHash, sessionId } = change;
  const [changed] = await tx.all(replaceHash, { accountId, currentHash, newHash });
  if (!changed) throw new Refusal('not_found');
  await tx.all(endOtherSessions, { accountId, sessionId });
}

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
