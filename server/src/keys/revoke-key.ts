import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import { type Origin, saveEvent } from '../stores/account-events.ts';
import { verb } from '../writer/verb.ts';
import { deleteSessionsOpenedWith } from './console-sessions.ts';
import { keyOfStore } from './create-key.ts';

const markRevoked = query((db, p: { keyId: string; at: bigint }) =>
  db
    .updateTable('keys')
    .set({ revoked_at: p.at })
    .where('id', '=', p.keyId)
    .where('revoked_at', 'is', null)
    .returning(['store_id as storeId', 'last_four as lastFour']),
);

export const revokeKey = verb(
  'revokeKey',
  async (tx, { keyId, at }: { keyId: string; at: bigint }): Promise<void> => {
    const [revoked] = await tx.all(markRevoked, { keyId, at });
    if (!revoked) throw new Refusal('not_found');
    await tx.all(deleteSessionsOpenedWith, { keyId });
    const [store] = await tx.all(ownerOf, { storeId: revoked.storeId });
    if (!store?.owner) return;
    const key = { id: keyId, lastFour: revoked.lastFour };
    await saveEvent(tx, { accountId: store.owner, address: 'command line', what: 'key_revoked', at, key });
  },
);

const ownerOf = query((db, p: { storeId: bigint }) =>
  db.selectFrom('stores').select('owner').where('id', '=', p.storeId),
);

type RevokeStoreKey = Origin & { storeId: bigint; keyId: string };

/** Revokes a key for its owner, who may ask twice: `isNew` the first time. */
export const revokeStoreKey = verb(
  'revokeStoreKey',
  async (tx, { storeId, keyId, ...by }: RevokeStoreKey) => {
    await tx.lockStore(storeId);
    const [known] = await tx.all(keyOfStore, { storeId, keyId });
    if (!known) throw new Refusal('not_found');
    const { lastFour, revokedAt } = known;
    if (revokedAt !== null) return { isNew: false, lastFour };
    await tx.all(markRevoked, { keyId, at: by.at });
    await tx.all(deleteSessionsOpenedWith, { keyId });
    await saveEvent(tx, { ...by, what: 'key_revoked', key: { id: keyId, lastFour } });
    return { isNew: true, lastFour };
  },
);
