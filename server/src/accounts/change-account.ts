import { sql } from 'kysely';
import { type Actor, saveEvent } from '../audit-log/audit-log.ts';
import { query } from '../database/query.ts';
import { deleteRows, lockRows, updateRows } from '../database/rows.ts';
import { DomainError } from '../domain/domain-error.ts';
import { type AttemptRefund, refundAttempts } from '../rate-limiting/count-attempts.ts';
import { closeStore, endTemporaryStores } from '../stores/end-stores.ts';
import { type Transaction, verb } from '../writer/verb.ts';

type OpenAccount = { id: string; email: string; passwordHash: string; at: bigint; address: string };

/** Creates an account unless the address has one. Both cases do the same work, so that timing does not reveal accounts. */
export const openAccount = verb('openAccount', async (tx, account: OpenAccount) => {
  const { id, email, passwordHash, at, address } = account;
  const [{ accountId } = { accountId: id }] = await tx.all(ensureAccount, { id, email, at });
  await tx.all(ensureCredential, { accountId, passwordHash });
  const what = accountId === id ? 'signed_up' : 'sign_up_repeated';
  return saveEvent(tx, { accountId, address, what, at });
});

// The updates change nothing: they make RETURNING return an existing row, and take as long as an insertion.
const ensureAccount = query(
  (_, p: { id: string; email: string; at: bigint }) => sql<{ accountId: string }>`
    INSERT INTO accounts (id, email, created_at) VALUES (${p.id}, ${p.email}, ${p.at})
    ON CONFLICT (email) DO UPDATE SET created_at = accounts.created_at RETURNING id AS "accountId"`,
);

const ensureCredential = query(
  (_, p: { accountId: string; passwordHash: string }) => sql`
    INSERT INTO credentials (account_id, password) VALUES (${p.accountId}, ${p.passwordHash})
    ON CONFLICT (account_id) DO UPDATE SET password = credentials.password`,
);

/**
 * Locks the account and its password; throws if the password has changed. Lock order, to avoid deadlocks: store, account,
 * then what belongs to the account.
 */
export async function lockAccount(tx: Transaction, accountId: string, passwordHash: string): Promise<void> {
  await lockRows(tx, 'accounts', { id: accountId });
  const expected = { account_id: accountId, password: passwordHash };
  const [found] = await lockRows(tx, 'credentials', expected, ['account_id']);
  if (!found) throw new DomainError('not_found');
}

interface ChangePassword extends Actor {
  readonly currentHash: string;
  readonly newHash: string;
  readonly sessionId: string;
  readonly token: string;
  readonly attempts: AttemptRefund;
}

export const changePassword = verb('changePassword', async (tx, change: ChangePassword) => {
  const { currentHash, newHash, sessionId, token, attempts, ...actor } = change;
  const { accountId } = actor;
  await lockAccount(tx, accountId, currentHash);
  await updateRows(tx, 'credentials', { account_id: accountId }, { password: newHash });
  await tx.all(endOtherSessions, { accountId, sessionId });
  await updateRows(tx, 'sessions', { id: sessionId }, { token });
  await deleteRows(tx, 'keys', { session_id: sessionId });
  await refundAttempts(tx, attempts);
  return saveEvent(tx, { ...actor, what: 'password_changed' });
});

const endOtherSessions = query((db, p: { accountId: string; sessionId: string }) =>
  db.deleteFrom('sessions').where('account_id', '=', p.accountId).where('id', '<>', p.sessionId),
);

/** Sets a new password and ends all sessions. For operators, when a password is forgotten. */
export const resetPassword = verb(
  'resetPassword',
  async (tx, { email, newHash, at }: { email: string; newHash: string; at: bigint }): Promise<void> => {
    const [account] = await lockRows(tx, 'accounts', { email }, ['id']);
    if (!account) throw new DomainError('not_found');
    const { id: accountId } = account;
    await updateRows(tx, 'credentials', { account_id: accountId }, { password: newHash });
    await deleteRows(tx, 'sessions', { account_id: accountId });
    await saveEvent(tx, { accountId, address: 'command line', what: 'password_reset', at });
  },
);

type CloseAccount = { accountId: string; passwordHash: string; at: bigint };

/**
 * Deletes an account with its password, sessions and keys, and closes its store. The store's rows, possibly millions, are
 * erased later, by `eraseStore`.
 */
export const closeAccount = verb('closeAccount', async (tx, closing: CloseAccount): Promise<void> => {
  const { accountId, passwordHash, at } = closing;
  await lockRows(tx, 'stores', { owner: accountId });
  await lockAccount(tx, accountId, passwordHash);
  await deleteRows(tx, 'accounts', { id: accountId });
  await deleteRows(tx, 'audit', { account_id: accountId });
  // Read again: a reset may have replaced the store while this waited for the lock.
  const [store] = await lockRows(tx, 'stores', { owner: accountId }, ['id', 'tenant_id']);
  if (!store) return;
  await closeStore(tx, store.id, at);
  await deleteRows(tx, 'keys', { store_id: store.id });
  const temporary = { tenantId: store.tenant_id ?? store.id, at };
  // Repeated until none is left: a reset may have replaced one while this waited for its lock.
  for (let ended = 1; ended > 0; ) ended = (await tx.all(endTemporaryStores, temporary)).length;
});
