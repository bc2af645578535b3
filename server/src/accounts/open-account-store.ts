import { query } from '../database/query.ts';
import { lockRows } from '../database/rows.ts';
import { type KeyDetails, saveKey } from '../keys/create-key.ts';
import { ensureStore } from '../orders/open-store.ts';
import { Refusal } from '../refusal.ts';
import { type Origin, saveEvent } from '../stores/account-events.ts';
import { verb } from '../writer/verb.ts';

type OpenAccountStore = Origin & { firstKey: KeyDetails | null };

/** Opens the account's store unless it is open, and gives the first key to only one of all who ask. */
export const openAccountStore = verb(
  'openAccountStore',
  async (tx, { firstKey, ...by }: OpenAccountStore) => {
    const { accountId, at } = by;
    await lockRows(tx, 'stores', { owner: accountId });
    const [account] = await lockRows(tx, 'accounts', { id: accountId }, ['id']);
    if (!account) throw new Refusal('not_found');
    const storeId = await ensureStore(tx, accountId, at);
    const [known] = await tx.all(anyOwnKey, { storeId });
    if (!firstKey || known) return { storeId, keyId: null };
    const key = await saveKey(tx, storeId, firstKey, at);
    await saveEvent(tx, { ...by, what: 'key_created', key });
    return { storeId, keyId: key.id };
  },
);

export const anyOwnKey = query((db, p: { storeId: bigint }) =>
  db
    .selectFrom('keys')
    .select('id')
    .where('store_id', '=', p.storeId)
    .where('session_id', 'is', null)
    .limit(1),
);
