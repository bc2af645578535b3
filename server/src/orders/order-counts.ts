import { sql } from 'kysely';
import { type Connection, query } from '../database/query.ts';
import { deleteRows, findRows } from '../database/rows.ts';
import type { Order } from './order.ts';

const WEEK_MS = 604_800_000n;
/** A Monday before all valid dates. Rows with this week hold the totals of all weeks. */
export const ALL_WEEKS = -120_959_654_400_000n;

type CountedOrder = Pick<Order, 'status' | 'ship_date'>;

function countKey(storeId: bigint, { ship_date, status }: CountedOrder) {
  return { store_id: storeId, week: ship_date - ((ship_date - ALL_WEEKS) % WEEK_MS), status };
}

const weekOfRow = sql<bigint>`ship_date - (ship_date - ${sql.lit(ALL_WEEKS)}) % ${sql.lit(WEEK_MS)}`;

/** Counts an order, or moves it from its previous status and week. The connection runs these statements in order. */
export async function updateCounts(
  connection: Connection,
  storeId: bigint,
  { before, now }: { before?: CountedOrder; now: CountedOrder },
): Promise<void> {
  await Promise.all([
    before && connection.all(addToCount, { ...countKey(storeId, before), change: -1n }),
    before && deleteRows(connection, 'order_counts', { ...countKey(storeId, before), count: 0n }),
    connection.all(addToCount, { ...countKey(storeId, now), change: 1n }),
  ]);
}

const addToExisting = sql`
  ON CONFLICT (store_id, week, status) DO UPDATE SET count = order_counts.count + excluded.count`;

/** Changes the count of a week and the total. */
const addToCount = query(
  (_, p: ReturnType<typeof countKey> & { change: bigint }) => sql<never>`
    INSERT INTO order_counts (store_id, week, status, count) VALUES
      (${p.store_id}, ${p.week}, ${p.status}, ${p.change}),
      (${p.store_id}, ${sql.lit(ALL_WEEKS)}, ${p.status}, ${p.change})${addToExisting}`,
);

/** Adds the orders in a range of ids to the stored counts. */
export const addRangeToCounts = query(
  (_, p: { storeId: bigint; first: bigint; last: bigint }) => sql<never>`
    INSERT INTO order_counts (store_id, week, status, count)
    WITH counted (week, status, count) AS (
      SELECT ${weekOfRow}, status, count(*) FROM orders
      WHERE store_id = ${p.storeId} AND id BETWEEN ${p.first} AND ${p.last} GROUP BY 1, 2
    )
    SELECT CAST(${p.storeId} AS bigint), week, status, count FROM counted
    UNION ALL
    SELECT CAST(${p.storeId} AS bigint), ${sql.lit(ALL_WEEKS)}, status, CAST(sum(count) AS bigint) FROM counted
    GROUP BY status${addToExisting}`,
);

/** The counts of a store, computed from its orders. */
export const computedCounts = (storeId: bigint) => sql`
  SELECT ${weekOfRow} AS week, status, count(*) AS count FROM orders WHERE store_id = ${storeId} GROUP BY 1, 2
  UNION ALL
  SELECT ${sql.lit(ALL_WEEKS)}, status, count(*) FROM orders WHERE store_id = ${storeId} GROUP BY status`;

const storedCounts = (storeId: bigint) =>
  sql`SELECT week, status, count FROM order_counts WHERE store_id = ${storeId}`;

export const deleteWrongCounts = query(
  (_, p: { storeId: bigint }) => sql<{ week: bigint }>`
    DELETE FROM order_counts WHERE store_id = ${p.storeId} AND (week, status) IN (
      SELECT week, status FROM (
        ${storedCounts(p.storeId)} EXCEPT SELECT * FROM (${computedCounts(p.storeId)}) AS counted
      ) AS wrong
    ) RETURNING week`,
);

export const insertMissingCounts = query(
  (_, p: { storeId: bigint }) => sql<{ week: bigint }>`
    INSERT INTO order_counts (store_id, week, status, count)
    SELECT CAST(${p.storeId} AS bigint), week, status, count FROM (
      SELECT * FROM (${computedCounts(p.storeId)}) AS counted EXCEPT ${storedCounts(p.storeId)}
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
