import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import { deleteEvents } from '../stores/account-events.ts';
import { lockStoreOf } from '../stores/account-locks.ts';
import { deleteKeys, endStoresBeside } from '../stores/end-store.ts';
import { tenantId } from '../stores/tenant.ts';
import { verb } from '../writer/verb.ts';

type CloseAccount = { accountId: string; passwordHash: string; at: bigint };

/**
 * Ends an account at once: it, its password, its sessions and all its keys are gone, and nothing opens its store
 * any more. The store's rows, of which there may be millions, are then for `eraseStore`.
 */
export const closeAccount = verb(
  'closeAccount',
  async (tx, { accountId, passwordHash, at }: CloseAccount): Promise<void> => {
    await lockStoreOf(tx, accountId);
    const [closed] = await tx.all(deleteAccount, { accountId, passwordHash });
    if (!closed) throw new Refusal('not_found');
    await tx.all(deleteEvents, { accountId });
    const [store] = await tx.all(closeStore, { accountId, at });
    if (!store) return;
    tx.closed.push(store.id);
    await tx.all(deleteKeys, { storeId: store.id });
    await tx.all(endStoresBeside, { tenantId: store.tenantId, at });
  },
);

const deleteAccount = query((db, p: { accountId: string; passwordHash: string }) =>
  db
    .deleteFrom('accounts')
    .where('id', '=', p.accountId)
    .where((eb) => {
      const current = eb.selectFrom('credentials').select('password').where('account_id', '=', p.accountId);
      return eb(eb.val(p.passwordHash), '=', current);
    })
    .returning('id'),
);

const closeStore = query((db, p: { accountId: string; at: bigint }) =>
  db
    .updateTable('stores')
    .set({ owner: null, closed_at: p.at })
    .where('owner', '=', p.accountId)
    .returning(['id', tenantId.as('tenantId')]),
);
