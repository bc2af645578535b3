import { query } from '../database/query.ts';
import type { Transaction } from '../transaction/transaction.ts';

/** Ends the session that has this token, by the token's hash, and the session's keys with it. */
export async function endSession(tx: Transaction, { token }: { token: string }): Promise<void> {
  await tx.all(deleteSession, { token });
}

/** Ends every session of an account. */
export async function endAllSessions(tx: Transaction, { accountId }: { accountId: string }): Promise<void> {
  await tx.all(deleteSessions, { accountId });
}

const deleteSession = query((db, p: { token: string }) =>
  db.deleteFrom('sessions').where('token', '=', p.token),
);

const deleteSessions = query((db, p: { accountId: string }) =>
  db.deleteFrom('sessions').where('account_id', '=', p.accountId),
);
