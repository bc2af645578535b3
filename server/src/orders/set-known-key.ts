import { deleteRows, findRows } from '../database/rows.ts';
import { type KeyDetails, saveKey } from '../keys/create-key.ts';
import { KNOWN_KEY_ID } from '../keys/known-key.ts';
import { verb } from '../writer/verb.ts';
import { ensureStore } from './open-store.ts';

type SetKnownKey = { owner: string; key: KeyDetails | null; at: bigint };

/** Makes `key` the only known key, of the owner's store; null ends it. A key that exists by another way is left alone. */
export const setKnownKey = verb('setKnownKey', async (tx, { owner, key, at }: SetKnownKey) => {
  const storeId = await ensureStore(tx, owner, at);
  await tx.lockStore(storeId);
  const [same] = key ? await findRows(tx, 'keys', { hash: key.hash }, ['id']) : [];
  if (same) return { isTaken: same.id !== KNOWN_KEY_ID };
  await deleteRows(tx, 'sessions', { key_id: KNOWN_KEY_ID });
  await deleteRows(tx, 'keys', { id: KNOWN_KEY_ID });
  if (key) await saveKey(tx, storeId, key, at, { id: KNOWN_KEY_ID });
  return { isTaken: false };
});
