import { sql } from 'kysely';
import { type Origin, saveEvent } from '../audit-log/audit-log.ts';
import { query } from '../database/query.ts';
import { deleteRows, lockRows, updateRows } from '../database/rows.ts';
import { DomainError } from '../domain/domain-error.ts';
import { type RightTry, settleAttempts } from '../rate-limiting/count-attempts.ts';
import { closeStore, endTemporaryStores } from '../stores/end-stores.ts';
import { type Transaction, verb } from '../writer/verb.ts';

type OpenAccount = { id: string; email: string; passwordHash: string; at: bigint; address: string };

/**
 * Opens an account, or leaves the one that has the address as it is. Both do the same work, so that not even the time
 * it takes tells which of the two happened.
 */
export const openAccount = verb('openAccount', async (tx, account: OpenAccount) => {
  const { id, email, passwordHash, at, address } = account;
  const [{ accountId } = { accountId: id }] = await tx.all(ensureAccount, { id, email, at });
  await tx.all(ensureCredential, { accountId, passwordHash });
  const what = accountId === id ? 'signed_up' : 'sign_up_repeated';
  return saveEvent(tx, { accountId, address, what, at });
});

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
 * Refuses if the password is another by now. It stays as it is until the end of the change. A change that locks
 * a store does so first, then the account, then what belongs to it: no two wait for each other.
 */
export async function lockAccount(tx: Transaction, accountId: string, passwordHash: string): Promise<void> {
  await lockRows(tx, 'accounts', { id: accountId });
  const right = { account_id: accountId, password: passwordHash };
  const [found] = await lockRows(tx, 'credentials', right, ['account_id']);
  if (!found) throw new DomainError('not_found');
}

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
 * Ends an account at once: it, its password, its sessions and all its keys are gone, and nothing opens its store
 * any more. The store's rows, of which there may be millions, are then for `eraseStore`.
 */
export const closeAccount = verb('closeAccount', async (tx, closing: CloseAccount): Promise<void> => {
  const { accountId, passwordHash, at } = closing;
  await lockRows(tx, 'stores', { owner: accountId });
  await lockAccount(tx, accountId, passwordHash);
  await deleteRows(tx, 'accounts', { id: accountId });
  await deleteRows(tx, 'audit', { account_id: accountId });
  // Found anew: while the lock was waited for, a reset may have put another store in its place.
  const [store] = await lockRows(tx, 'stores', { owner: accountId }, ['id', 'tenant_id']);
  if (!store) return;
  await closeStore(tx, store.id, at);
  await deleteRows(tx, 'keys', { store_id: store.id });
  const beside = { tenantId: store.tenant_id ?? store.id, at };
  // Until there is none: while one is waited for, a reset may have put another in its place.
  for (let ended = 1; ended > 0; ) ended = (await tx.all(endTemporaryStores, beside)).length;
});
