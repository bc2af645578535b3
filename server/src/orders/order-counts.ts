import { sql } from 'kysely';
import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import type { OrderStatus } from '../vocabulary.ts';
import type { Order } from './order.ts';

const WEEK_MS = 604_800_000n;
/** A Monday before any date there is. In the table it stands for all weeks together. */
export const ALL_WEEKS = -120_959_654_400_000n;

type CountedOrder = Pick<Order, 'status' | 'ship_date'>;

function weekOf({ ship_date }: CountedOrder): bigint {
  return ship_date - ((ship_date - ALL_WEEKS) % WEEK_MS);
}

export const weekOfRow = sql<bigint>`ship_date - (ship_date - ${sql.lit(ALL_WEEKS)}) % ${sql.lit(WEEK_MS)}`;

/** An order enters the counts, or moves there from its state and week before. */
export async function updateCounts(
  connection: Connection,
  storeId: bigint,
  { before, now }: { before?: CountedOrder; now: CountedOrder },
): Promise<void> {
  const countOf = (order: CountedOrder) => ({ storeId, week: weekOf(order), status: order.status });
  await Promise.all([
    before && connection.all(add, { ...countOf(before), more: -1n }),
    before && connection.all(removeEmpty, countOf(before)),
    connection.all(add, { ...countOf(now), more: 1n }),
  ]);
}

type Count = { storeId: bigint; week: bigint; status: OrderStatus };

/** Adds to the count of a week and to that of all weeks. */
const add = query((db, p: Count & { more: bigint }) =>
  db
    .insertInto('order_counts')
    .values(
      [p.week, ALL_WEEKS].map((week) => ({ store_id: p.storeId, week, status: p.status, count: p.more })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['store_id', 'week', 'status'])
        .doUpdateSet((eb) => ({ count: eb('order_counts.count', '+', eb.ref('excluded.count')) })),
    ),
);

const removeEmpty = query((db, p: Count) =>
  db
    .deleteFrom('order_counts')
    .where('store_id', '=', p.storeId)
    .where('week', '=', p.week)
    .where('status', '=', p.status)
    .where('count', '=', 0n),
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
    WHERE true GROUP BY status
    ON CONFLICT (store_id, week, status) DO UPDATE SET count = order_counts.count + excluded.count`,
);

export const totalCounts = query((db, p: { storeId: bigint }) =>
  db
    .selectFrom('order_counts')
    .select(['status', 'count'])
    .where('store_id', '=', p.storeId)
    .where('week', '=', ALL_WEEKS),
);

export async function totalOrders(connection: Connection, storeId: bigint): Promise<bigint> {
  return (await connection.all(totalCounts, { storeId })).reduce((sum, { count }) => sum + count, 0n);
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
