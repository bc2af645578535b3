import { sql } from 'kysely';
import { query } from '../database/query.ts';
import { type LockedStore, verb } from '../writer/verb.ts';
import { deleteWrongCounts, insertMissingCounts } from './order-counts.ts';

/** Ids beyond these may be in use: the sandbox takes any, and ids are counted on from where this many are free. */
export const FREE_IDS = sql.lit(1_000_000_000n);

type Counters = Omit<LockedStore, 'id'>;

/** Derives the counts and counters of a store from its rows again, and names those that were wrong. */
export const repairStore = verb('repairStore', async (tx, { storeId }: { storeId: bigint }) => {
  const store = await tx.lockStore(storeId);
  const [least] = await tx.all(leastCounters, { storeId });
  const behind = Object.entries(least ?? {}).filter(([name, value]) => value > store[name as keyof Counters]);
  const wrong = await tx.all(deleteWrongCounts, { storeId });
  const missing = await tx.all(insertMissingCounts, { storeId });
  const repaired = behind.map(([name]) => name);
  if (wrong.length + missing.length > 0) repaired.push('order_counts');
  Object.assign(store, Object.fromEntries(behind));
  // Responses that clients have cached are those of another revision.
  if (repaired.length > 0) store.revision++;
  return repaired;
});

const leastCounters = query((_, p: { storeId: bigint }) => {
  const most = (column: string, table: string, where = sql`TRUE`) =>
    sql`(SELECT coalesce(max(${sql.ref(column)}), 0) FROM ${sql.table(table)} WHERE store_id = ${p.storeId} AND ${where})`;
  const isFree = (next: string) => sql`id BETWEEN ${sql.ref(next)} AND ${sql.ref(next)} + ${FREE_IDS}`;
  const revisions = sql.join(
    ['orders', 'pets', 'changes'].map((table) => sql`SELECT ${most('revision', table)} AS revision`),
    sql` UNION ALL `,
  );
  return sql<Counters>`
    SELECT (SELECT max(newest.revision) FROM (${revisions}) AS newest) AS revision,
      ${most('id', 'orders', isFree('next_order_id'))} + 1 AS next_order_id,
      ${most('id', 'pets', isFree('next_pet_id'))} + 1 AS next_pet_id,
      ${most('number', 'idempotency')} + 1 AS next_idempotency
    FROM stores WHERE id = ${p.storeId}`;
});
