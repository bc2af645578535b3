import { sql } from 'kysely';
import { type Connection, query } from '../database/query.ts';
import { deleteRows, findRows } from '../database/rows.ts';
import type { Order } from './order.ts';

const WEEK_MS = 604_800_000n;
/** A Monday before any date there is. In the table it stands for all weeks together. */
export const ALL_WEEKS = -120_959_654_400_000n;

type CountedOrder = Pick<Order, 'status' | 'ship_date'>;

function countOf(storeId: bigint, { ship_date, status }: CountedOrder) {
  return { store_id: storeId, week: ship_date - ((ship_date - ALL_WEEKS) % WEEK_MS), status };
}

const weekOfRow = sql<bigint>`ship_date - (ship_date - ${sql.lit(ALL_WEEKS)}) % ${sql.lit(WEEK_MS)}`;

/** An order enters the counts, or moves there from its state and week before. A connection runs these in this order. */
export async function updateCounts(
  connection: Connection,
  storeId: bigint,
  { before, now }: { before?: CountedOrder; now: CountedOrder },
): Promise<void> {
  await Promise.all([
    before && connection.all(add, { ...countOf(storeId, before), more: -1n }),
    before && deleteRows(connection, 'order_counts', { ...countOf(storeId, before), count: 0n }),
    connection.all(add, { ...countOf(storeId, now), more: 1n }),
  ]);
}

const addingUp = sql`
  ON CONFLICT (store_id, week, status) DO UPDATE SET count = order_counts.count + excluded.count`;

/** Adds to the count of a week and to that of all weeks. */
const add = query(
  (_, p: ReturnType<typeof countOf> & { more: bigint }) => sql<never>`
    INSERT INTO order_counts (store_id, week, status, count) VALUES
      (${p.store_id}, ${p.week}, ${p.status}, ${p.more}),
      (${p.store_id}, ${sql.lit(ALL_WEEKS)}, ${p.status}, ${p.more})${addingUp}`,
);

/** Orders that were inserted enter the counts together. */
export const addToCounts = query(
  (_, p: { storeId: bigint; first: bigint; last: bigint }) => sql<never>`
    INSERT INTO order_counts (store_id, week, status, count)
    WITH counted (week, status, count) AS (
      SELECT ${weekOfRow}, status, count(*) FROM orders
      WHERE store_id = ${p.storeId} AND id BETWEEN ${p.first} AND ${p.last} GROUP BY 1, 2
    )
    SELECT CAST(${p.storeId} AS bigint), week, status, count FROM counted
    UNION ALL
    SELECT CAST(${p.storeId} AS bigint), ${sql.lit(ALL_WEEKS)}, status, CAST(sum(count) AS bigint) FROM counted
    WHERE true GROUP BY status${addingUp}`,
);

/** The counts of a store as its orders have them. */
export const countsOfOrders = (storeId: bigint) => sql`
  SELECT ${weekOfRow} AS week, status, count(*) AS count FROM orders WHERE store_id = ${storeId} GROUP BY 1, 2
  UNION ALL
  SELECT ${sql.lit(ALL_WEEKS)}, status, count(*) FROM orders WHERE store_id = ${storeId} GROUP BY status`;

const storedCounts = (storeId: bigint) =>
  sql`SELECT week, status, count FROM order_counts WHERE store_id = ${storeId}`;

export const deleteWrongCounts = query(
  (_, p: { storeId: bigint }) => sql<{ week: bigint }>`
    DELETE FROM order_counts WHERE store_id = ${p.storeId} AND (week, status) IN (
      SELECT week, status FROM (
        ${storedCounts(p.storeId)} EXCEPT SELECT * FROM (${countsOfOrders(p.storeId)}) AS counted
      ) AS wrong
    ) RETURNING week`,
);

export const insertMissingCounts = query(
  (_, p: { storeId: bigint }) => sql<{ week: bigint }>`
    INSERT INTO order_counts (store_id, week, status, count)
    SELECT CAST(${p.storeId} AS bigint), week, status, count FROM (
      SELECT * FROM (${countsOfOrders(p.storeId)}) AS counted EXCEPT ${storedCounts(p.storeId)}
    ) AS missing RETURNING week`,
);

export function totalCounts(connection: Connection, storeId: bigint) {
  const total = { store_id: storeId, week: ALL_WEEKS };
  return findRows(connection, 'order_counts', total, ['status', 'count']);
}

export async function totalOrders(connection: Connection, storeId: bigint): Promise<bigint> {
  return (await totalCounts(connection, storeId)).reduce((sum, { count }) => sum + count, 0n);
}

export const weekCounts = query((db, p: { storeId: bigint; limit: bigint }) =>
  db
    .selectFrom('order_counts')
    .select(['week', 'status', 'count'])
    .where('store_id', '=', p.storeId)
    .where('week', '>', ALL_WEEKS)
    .orderBy('week', 'desc')
    .limit(p.limit),
);
