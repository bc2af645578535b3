import { sql } from 'kysely';
import { query } from '../database/query.ts';
import { type LockedStore, verb } from '../writer/verb.ts';
import { deleteWrongCounts, insertMissingCounts } from './order-counts.ts';

/** A counter is wrong if an id in use is not below it. Ids further above it than this are ignored: sandbox clients chose them. */
export const MAX_ID_GAP = sql.lit(1_000_000_000n);

type Counters = Omit<LockedStore, 'id'>;

/** Recomputes the counts and counters of a store from its rows. Returns the names of those that were wrong. */
export const repairStore = verb('repairStore', async (tx, { storeId }: { storeId: bigint }) => {
  const store = await tx.lockStore(storeId);
  const [minimum] = await tx.all(minimumCounters, { storeId });
  const wrongCounters = Object.entries(minimum ?? {}).filter(
    ([name, value]) => value > store[name as keyof Counters],
  );
  const deleted = await tx.all(deleteWrongCounts, { storeId });
  const inserted = await tx.all(insertMissingCounts, { storeId });
  const repaired = wrongCounters.map(([name]) => name);
  if (deleted.length + inserted.length > 0) repaired.push('order_counts');
  Object.assign(store, Object.fromEntries(wrongCounters));
  // Invalidates responses that clients have cached.
  if (repaired.length > 0) store.revision++;
  return repaired;
});

const minimumCounters = query((_, p: { storeId: bigint }) => {
  const max = (column: string, table: string, where = sql`TRUE`) =>
    sql`(SELECT coalesce(max(${sql.ref(column)}), 0) FROM ${sql.table(table)} WHERE store_id = ${p.storeId} AND ${where})`;
  const isWithinGap = (next: string) => sql`id BETWEEN ${sql.ref(next)} AND ${sql.ref(next)} + ${MAX_ID_GAP}`;
  const revisions = sql.join(
    ['orders', 'pets', 'changes'].map((table) => sql`SELECT ${max('revision', table)} AS revision`),
    sql` UNION ALL `,
  );
  return sql<Counters>`
    SELECT (SELECT max(newest.revision) FROM (${revisions}) AS newest) AS revision,
      ${max('id', 'orders', isWithinGap('next_order_id'))} + 1 AS next_order_id,
      ${max('id', 'pets', isWithinGap('next_pet_id'))} + 1 AS next_pet_id,
      ${max('number', 'idempotency')} + 1 AS next_idempotency
    FROM stores WHERE id = ${p.storeId}`;
});
