import { lockingQuery } from '../database/query.ts';
import type { Transaction } from '../writer/transaction.ts';

/** Every change locks the store first, then the account, then what belongs to it: no two wait for each other. */
export async function lockStoreOf(tx: Transaction, accountId: string): Promise<void> {
  await tx.all(lockedStore, { accountId });
}

export async function lockAccount(tx: Transaction, accountId: string): Promise<boolean> {
  return (await tx.all(lockedAccount, { accountId })).length > 0;
}

export async function lockSession(tx: Transaction, sessionId: string): Promise<boolean> {
  return (await tx.all(lockedSession, { sessionId })).length > 0;
}

const lockedStore = lockingQuery((db, p: { accountId: string }) =>
  db.selectFrom('stores').select('id').where('owner', '=', p.accountId),
);

const lockedAccount = lockingQuery((db, p: { accountId: string }) =>
  db.selectFrom('accounts').select('id').where('id', '=', p.accountId),
);

const lockedSession = lockingQuery((db, p: { sessionId: string }) =>
  db.selectFrom('sessions').select('id').where('id', '=', p.sessionId),
);
