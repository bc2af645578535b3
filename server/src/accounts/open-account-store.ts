import { query } from '../database/query.ts';
import { type KeyDetails, newKeyId } from '../keys/create-key.ts';
import { ensureStore } from '../orders/open-store.ts';
import { Refusal } from '../refusal.ts';
import { saveEvent } from '../stores/account-events.ts';
import { lockAccount, lockStoreOf } from '../stores/account-locks.ts';
import type { KeyScope } from '../vocabulary.ts';
import { verb } from '../writer/verb.ts';

export interface OpenAccountStore {
  readonly accountId: string;
  /** Becomes the account's first key, if it never had one. */
  readonly firstKey: KeyDetails | null;
  readonly at: bigint;
  readonly address?: string;
}

/** The account's store, opened if it was not, and its first key, which of all who ask only one is given. */
export const openAccountStore = verb(
  'openAccountStore',
  async (
    tx,
    { accountId, firstKey, at, address = '' }: OpenAccountStore,
  ): Promise<{ storeId: bigint; keyId: string | null }> => {
    await lockStoreOf(tx, accountId);
    if (!(await lockAccount(tx, accountId))) throw new Refusal('not_found');
    const storeId = await ensureStore(tx, accountId, at);
    const [key] = firstKey ? await tx.all(insertFirstKey, { id: newKeyId(), storeId, at, ...firstKey }) : [];
    if (firstKey && key) {
      const made = { id: key.id, lastFour: firstKey.lastFour };
      await saveEvent(tx, { accountId, address, what: 'key_created', at, key: made });
    }
    return { storeId, keyId: key?.id ?? null };
  },
);

/** One statement both looks and inserts, so that two who ask at once are not both given a key. */
const insertFirstKey = query((db, p: KeyDetails & { id: string; storeId: bigint; at: bigint }) =>
  db
    .insertInto('keys')
    .columns(['hash', 'id', 'store_id', 'name', 'last_four', 'scope', 'created_at', 'expires_at'])
    .expression((eb) =>
      eb
        .selectFrom('stores')
        .select((s) => [
          s.cast<string>(s.val(p.hash), 'text').as('hash'),
          s.cast<string>(s.val(p.id), 'text').as('id'),
          'stores.id as store_id',
          s.cast<string>(s.val(p.name), 'text').as('name'),
          s.cast<string>(s.val(p.lastFour), 'text').as('last_four'),
          s.cast<KeyScope>(s.val(p.scope), 'text').as('scope'),
          s.cast<bigint>(s.val(p.at), 'bigint').as('created_at'),
          s.cast<bigint | null>(s.val(p.expiresAt), 'bigint').as('expires_at'),
        ])
        .where('stores.id', '=', p.storeId)
        .where((w) =>
          w.not(
            w.exists(
              w
                .selectFrom('keys')
                .select('keys.id')
                .whereRef('keys.store_id', '=', 'stores.id')
                .where('keys.session_id', 'is', null),
            ),
          ),
        ),
    )
    .returning('id'),
);
