import { sql } from 'kysely';
import type { Job } from '../concurrency/background-jobs.ts';
import { type Connection, query } from '../database/query.ts';
import { deleteBatch, deleteRows, lockRows, updateRows } from '../database/rows.ts';
import { DomainError, ignoreDomainErrors } from '../domain/domain-error.ts';
import { type Transaction, verb } from '../writer/verb.ts';
import type { Writer } from '../writer/writer.ts';

/** Rows erased per change, so that other changes do not wait long. */
const BATCH = 1_000;

/** Closes a store and deletes its keys at once; `eraseStore` deletes its rows later. */
export const endStore = verb('endStore', async (tx, { storeId, at }: { storeId: bigint; at: bigint }) => {
  await tx.lockStore(storeId);
  await closeStore(tx, storeId, at);
  await deleteRows(tx, 'keys', { store_id: storeId });
});

export async function closeStore(tx: Transaction, storeId: bigint, at: bigint): Promise<void> {
  await updateRows(tx, 'stores', { id: storeId }, { owner: null, closed_at: at });
  tx.closed.push(storeId);
}

export const endTemporaryStores = query((db, p: { tenantId: bigint; at: bigint }) =>
  db
    .updateTable('stores')
    .set({ ends_at: p.at })
    .where('tenant_id', '=', p.tenantId)
    .where('ends_at', '>', p.at)
    .returning('id'),
);

/** Background job: ends expired temporary stores, and erases closed stores. */
export function eraseClosedStores(db: Connection, writer: Writer, now: () => number): Job {
  return {
    name: 'erasing closed stores',
    intervalMs: 60_000,
    async run(signal, step) {
      const eraseAllRows = async (storeId: bigint) => {
        for (let isErased = false; !signal.aborted && !isErased; )
          ({ erased: isErased } = await writer.apply(eraseStore, { storeId }));
      };
      for (const { id: storeId } of await db.all(expiredStores, { now: BigInt(now()) }))
        await step(() => writer.apply(endStore, { storeId, at: BigInt(now()) }).catch(ignoreDomainErrors));
      for (const { id } of await db.all(closedStores, { now: BigInt(now()) }))
        await step(() => eraseAllRows(id).catch(ignoreDomainErrors));
    },
  };
}

const expiredStores = query((db, p: { now: bigint }) =>
  db.selectFrom('stores').select('id').where('ends_at', '<=', p.now).where('closed_at', 'is', null),
);

const closedStores = query((db, p: { now: bigint }) =>
  db.selectFrom('stores').select('id').where('closed_at', '<=', p.now),
);

/** Erases one batch of a closed store's rows. `erased`: no rows are left. The lock keeps other replicas out. */
export const eraseStore = verb('eraseStore', async (tx, { storeId }: { storeId: bigint }) => {
  const [store] = await lockRows(tx, 'stores', { id: storeId }, ['closed_at']);
  if (!store?.closed_at) throw new DomainError('not_found');
  // 1 is in the past by every clock: a prepared store that is still being filled can no longer open.
  await updateRows(tx, 'stores', { id: storeId }, { closed_at: 1n });
  for (const erase of batchDeletions)
    if ((await tx.all(erase, { storeId })).length === BATCH) return { erased: false };
  await deleteRows(tx, 'stores', { id: storeId });
  return { erased: true };
});

/** Tables with rows of a store, and columns that are unique within a store. */
const tables = {
  orders: 'id',
  changes: 'revision',
  order_counts: 'week, status',
  pets: 'id',
  idempotency: 'key',
  webhooks: 'id',
  faults: 'position',
  requests: 'id',
  keys: 'hash',
};

const batchDeletions = Object.entries(tables).map(([table, order]) =>
  query((_, p: { storeId: bigint }) =>
    deleteBatch(table as keyof typeof tables, sql`store_id = ${p.storeId}`, { order, limit: BATCH }),
  ),
);
