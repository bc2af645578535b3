import { lockRows } from '../database/rows.ts';
import { Refusal } from '../refusal.ts';
import type { Transaction } from '../writer/transaction.ts';

/**
 * Refuses if the password is another by now. It stays as it is until the end of the change. Every change locks the
 * store first, then the account, then what belongs to it: no two wait for each other.
 */
export async function lockAccount(tx: Transaction, accountId: string, passwordHash: string): Promise<void> {
  await lockRows(tx, 'accounts', { id: accountId });
  const right = { account_id: accountId, password: passwordHash };
  const [found] = await lockRows(tx, 'credentials', right, ['account_id']);
  if (!found) throw new Refusal('not_found');
}
