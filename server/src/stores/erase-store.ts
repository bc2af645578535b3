import { sql } from 'kysely';
import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import { verb } from '../writer/verb.ts';

/** Rows erased by one change: each is short, so that no other change waits long behind it. */
const BATCH = 1_000n;

/** Erases some of a closed store's rows; `erased` once nothing of it is left. */
export const eraseStore = verb(
  'eraseStore',
  async (tx, { storeId }: { storeId: bigint }): Promise<{ erased: boolean }> => {
    // Nothing changes a closed store any more: nobody has to be kept away from it.
    const [closed] = await tx.all(closedStore, { storeId });
    if (!closed) throw new Refusal('not_found');
    for (const { lastOfBatch, erase } of large) {
      const [last] = await tx.all(lastOfBatch, { storeId, skip: BATCH - 1n });
      if (!last) continue;
      await tx.all(erase, { storeId, last: last.id });
      return { erased: false };
    }
    for (const table of small) await tx.all(table, { storeId });
    await tx.all(eraseRow, { storeId });
    return { erased: true };
  },
);

const closedStore = query((db, p: { storeId: bigint }) =>
  db.selectFrom('stores').select('id').where('id', '=', p.storeId).where('closed_at', 'is not', null),
);

/** Tables in which a store may have any number of rows, each with the column that they are in order of. */
const large = [
  inBatches('orders', 'id'),
  inBatches('changes', 'revision'),
  inBatches('order_counts', 'week'),
];

function inBatches(table: 'orders' | 'changes' | 'order_counts', column: 'id' | 'revision' | 'week') {
  const place = sql.ref<bigint>(column);
  return {
    lastOfBatch: query((db, p: { storeId: bigint; skip: bigint }) =>
      db
        .selectFrom(table)
        .select(place.as('id'))
        .where('store_id', '=', p.storeId)
        .orderBy(place)
        .limit(1)
        .offset(p.skip),
    ),
    erase: query((db, p: { storeId: bigint; last: bigint }) =>
      db.deleteFrom(table).where('store_id', '=', p.storeId).where(place, '<=', p.last),
    ),
  };
}

/** What is left of the large ones, and everything that is never much. */
const small = (
  [
    'orders',
    'changes',
    'order_counts',
    'pets',
    'idempotency',
    'webhooks',
    'faults',
    'requests',
    'keys',
  ] as const
).map((table) =>
  query((db, p: { storeId: bigint }) => db.deleteFrom(table).where('store_id', '=', p.storeId)),
);

const eraseRow = query((db, p: { storeId: bigint }) => db.deleteFrom('stores').where('id', '=', p.storeId));
