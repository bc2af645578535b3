import { deleteRows, findRows } from '../database/rows.ts';
import { type KeyDetails, saveKey } from '../keys/manage-keys.ts';
import { verb } from '../writer/verb.ts';
import { ensureStore } from './open-store.ts';

export const KNOWN_KEY_ID = 'key_known_in_advance';

export const KNOWN_KEY_STAYS =
  'This key was given at the start of the service, by --staging-key, and is known to all: ' +
  'it can be neither rolled nor revoked. Start the service with another one, or without.';

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
