import { deleteRows, findRows } from '../database/rows.ts';
import { type KeyDetails, saveKey } from '../keys/manage-keys.ts';
import { verb } from '../writer/verb.ts';
import { ensureStore } from './open-store.ts';

export const STATIC_KEY_ID = 'key_known_in_advance';

export const STATIC_KEY_IS_FIXED =
  'This is the static key set with --staging-key: it cannot be rolled or revoked. ' +
  'Restart the service with another key, or without one.';

type SetStaticKey = { owner: string; key: KeyDetails | null; at: bigint };

/** Replaces the static key of the deployment, which opens the owner's store; null removes it. Does nothing if `key` exists. */
export const setStaticKey = verb('setStaticKey', async (tx, { owner, key, at }: SetStaticKey) => {
  const storeId = await ensureStore(tx, owner, at);
  await tx.lockStore(storeId);
  const [same] = key ? await findRows(tx, 'keys', { hash: key.hash }, ['id']) : [];
  if (same) return { isKeyTaken: same.id !== STATIC_KEY_ID };
  await deleteRows(tx, 'sessions', { key_id: STATIC_KEY_ID });
  await deleteRows(tx, 'keys', { id: STATIC_KEY_ID });
  if (key) await saveKey(tx, storeId, key, at, { id: STATIC_KEY_ID });
  return { isKeyTaken: false };
});
