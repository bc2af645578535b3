import { openPrivateStore } from '../../../server/src/app/open-private-store.ts';
import { createKey, newKey } from '../../../server/src/keys/manage-keys.ts';
import { openStore } from '../../../server/src/provisioning/open-store.ts';

/** A private service with two stores: a full and a read-only key of one, and a key of the other. */
export async function openStores() {
  const { key: otherKey, writer, ...service } = await openPrivateStore();
  const at = BigInt(Date.now());
  const full = newKey('staging', 'suite');
  const read = newKey('staging', 'read-only', null, 'read');
  const { storeId } = await writer.apply(openStore, { owner: null, key: full.details, at });
  await writer.apply(createKey, { storeId, key: read.details, at });
  return { ...service, key: full.key, readKey: read.key, otherKey };
}
