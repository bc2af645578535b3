import { type Connection, Unavailable } from '../database/engine.ts';
import { lockingQuery, query, valuesOf } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import { closeStore } from '../stores/end-store.ts';
import { findOpenStore } from '../stores/find-store.ts';
import { tenantId } from '../stores/tenant.ts';
import type { EventType } from '../vocabulary.ts';
import { storeOf, verb } from '../writer/verb.ts';
import type { Writer } from '../writer/writer.ts';

/** Requests that found the old store before it was replaced may still read it for so long. */
const READERS_MS = 60_000n;

type ReplaceStore = { replacedId: bigint; preparedId: bigint; at: bigint };

/** Puts a prepared store in the place of another. Owner, keys and webhooks stay; all else goes with the old one. */
export const replaceStore = verb('replaceStore', async (tx, { replacedId, preparedId, at }: ReplaceStore) => {
  const [old] = await tx.all(lockedStore, { storeId: replacedId });
  const [prepared] = await tx.all(preparedStore, { storeId: preparedId, at });
  if (!old || !prepared) throw new Refusal('unavailable');
  const revision = old.revision + 1n;
  await closeStore(tx, replacedId, at + READERS_MS);
  await tx.all(openPrepared, { ...old, storeId: preparedId, revision });
  for (const move of moveRows) await tx.all(move, { from: replacedId, to: preparedId });
  await tx.all(insertReset, { storeId: preparedId, revision, at, traceparent: tx.traceparent });
  return { revision };
});

/** A writer whose changes may be tried again where their store was replaced meanwhile: the key opens another by now. */
export function writerThroughResets(db: Connection, writer: Writer): Writer {
  return {
    ...writer,
    apply: (verb, args) =>
      writer.apply(verb, args).catch(async (error) => {
        const storeId = error instanceof Refusal && error.code === 'not_found' ? storeOf(args) : undefined;
        const isOpen = storeId === undefined || (await db.all(findOpenStore, { storeId })).length > 0;
        throw isOpen ? error : new Unavailable('the store was replaced by another');
      }),
  };
}

/** Locked, so that any other change comes before, or finds the store closed. */
const lockedStore = lockingQuery((db, p: { storeId: bigint }) =>
  db
    .selectFrom('stores')
    .select(['owner', 'revision', 'ends_at', tenantId.as('tenant_id')])
    .where('id', '=', p.storeId)
    .where('closed_at', 'is', null),
);

export const preparedStore = lockingQuery((db, p: { storeId: bigint; at: bigint }) =>
  db.selectFrom('stores').select('id').where('id', '=', p.storeId).where('closed_at', '>', p.at),
);

type Opened = { owner: string | null; revision: bigint; tenant_id: bigint; ends_at: bigint | null };

export const openPrepared = query((db, p: Opened & { storeId: bigint }) =>
  db
    .updateTable('stores')
    .set({ ...valuesOf(p, ['owner', 'revision', 'tenant_id', 'ends_at']), closed_at: null })
    .where('id', '=', p.storeId),
);

const moveRows = (['keys', 'webhooks'] as const).map((table) =>
  query((db, p: { from: bigint; to: bigint }) =>
    db.updateTable(table).set({ store_id: p.to }).where('store_id', '=', p.from),
  ),
);

export const insertReset = query(
  (db, p: { storeId: bigint; revision: bigint; at: bigint; traceparent: string | null }) =>
    db.insertInto('changes').values({
      store_id: p.storeId,
      ...valuesOf(p, ['revision', 'at', 'traceparent']),
      type: 'store.reset' satisfies EventType,
    }),
);
