import { query } from '../database/query.ts';
import type { Transaction } from '../transaction/transaction.ts';

/**
 * A row that is set to what it is stays locked until the transaction ends, on either engine. Changes to an account
 * lock its store first, then the account, then what belongs to it, so that no two wait for each other.
 */
export async function lockStoreOf(tx: Transaction, accountId: string): Promise<void> {
  await tx.all(touchStore, { accountId });
}

/** False if there is no such account. */
export async function lockAccount(tx: Transaction, accountId: string): Promise<boolean> {
  return (await tx.all(touchAccount, { accountId })).length > 0;
}

/** False if this is not, or no longer, the account's password. */
export async function lockPassword(
  tx: Transaction,
  { accountId, passwordHash }: { accountId: string; passwordHash: string },
): Promise<boolean> {
  return (await tx.all(touchPassword, { accountId, passwordHash })).length > 0;
}

/** False if the session has ended. */
export async function lockSession(tx: Transaction, sessionId: string): Promise<boolean> {
  return (await tx.all(touchSession, { sessionId })).length > 0;
}

const touchStore = query((db, p: { accountId: string }) =>
  db
    .updateTable('stores')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('owner', '=', p.accountId),
);

const touchAccount = query((db, p: { accountId: string }) =>
  db
    .updateTable('accounts')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', p.accountId)
    .returning('id'),
);

const touchPassword = query((db, p: { accountId: string; passwordHash: string }) =>
  db
    .updateTable('credentials')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('account_id', '=', p.accountId)
    .where('password', '=', p.passwordHash)
    .returning('id'),
);

const touchSession = query((db, p: { sessionId: string }) =>
  db
    .updateTable('sessions')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', p.sessionId)
    .returning('id'),
);
