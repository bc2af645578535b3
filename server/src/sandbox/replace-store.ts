import { type Connection, Unavailable } from '../database/engine.ts';
import { insertRow, lockRows, updateRows } from '../database/rows.ts';
import { Refusal } from '../refusal.ts';
import { closeStore } from '../stores/end-stores.ts';
import { isOpenStore } from '../stores/find-store.ts';
import { storeOf, verb } from '../writer/verb.ts';
import type { Writer } from '../writer/writer.ts';
import { keepPrepared } from './prepare-store.ts';

/** Requests that found the old store before it was replaced may still read it for so long. */
const READERS_MS = 60_000n;

type ReplaceStore = { replacedId: bigint; preparedId: bigint; at: bigint };

/** Puts a prepared store in the place of another. Owner, keys and webhooks stay; all else goes with the old one. */
export const replaceStore = verb('replaceStore', async (tx, { replacedId, preparedId, at }: ReplaceStore) => {
  // Locked, so that any other change comes before, or finds the store closed.
  const open = { id: replacedId, closed_at: null };
  const [old] = await lockRows(tx, 'stores', open, ['owner', 'ends_at', 'tenant_id']);
  if (!old) throw new Refusal('unavailable');
  await keepPrepared(tx, { storeId: preparedId, at });
  const revision = (await tx.lockStore(replacedId)).revision + 1n;
  await closeStore(tx, replacedId, at + READERS_MS);
  const opened = { ...old, tenant_id: old.tenant_id ?? replacedId, revision, closed_at: null };
  await updateRows(tx, 'stores', { id: preparedId }, opened);
  const moved = { store_id: preparedId };
  await updateRows(tx, 'keys', { store_id: replacedId }, moved);
  await updateRows(tx, 'webhooks', { store_id: replacedId }, moved);
  const { traceparent } = tx;
  await insertRow(tx, 'changes', { ...moved, revision, at, type: 'store.reset', traceparent });
  return { revision };
});

/** A writer whose changes may be tried again where their store was replaced meanwhile: the key opens another by now. */
export function writerThroughResets(db: Connection, writer: Writer): Writer {
  return {
    ...writer,
    apply: (verb, args) =>
      writer.apply(verb, args).catch(async (error) => {
        const storeId = error instanceof Refusal && error.code === 'not_found' ? storeOf(args) : undefined;
        const isOpen = storeId === undefined || (await isOpenStore(db, storeId));
        throw isOpen ? error : new Unavailable('the store was replaced by another');
      }),
  };
}
