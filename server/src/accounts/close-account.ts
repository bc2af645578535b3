import { deleteRows, lockRows } from '../database/rows.ts';
import { closeStore, endStoresBeside } from '../stores/end-store.ts';
import { verb } from '../writer/verb.ts';
import { lockAccount } from './lock-account.ts';

type CloseAccount = { accountId: string; passwordHash: string; at: bigint };

/**
 * Ends an account at once: it, its password, its sessions and all its keys are gone, and nothing opens its store
 * any more. The store's rows, of which there may be millions, are then for `eraseStore`.
 */
export const closeAccount = verb(
  'closeAccount',
  async (tx, { accountId, passwordHash, at }: CloseAccount): Promise<void> => {
    await lockRows(tx, 'stores', { owner: accountId });
    await lockAccount(tx, accountId, passwordHash);
    await deleteRows(tx, 'accounts', { id: accountId });
    await deleteRows(tx, 'audit', { account_id: accountId });
    // Found anew: while the lock was waited for, a reset may have put another store in its place.
    const [store] = await lockRows(tx, 'stores', { owner: accountId }, ['id', 'tenant_id']);
    if (!store) return;
    await closeStore(tx, store.id, at);
    await deleteRows(tx, 'keys', { store_id: store.id });
    await tx.all(endStoresBeside, { tenantId: store.tenant_id ?? store.id, at });
  },
);
