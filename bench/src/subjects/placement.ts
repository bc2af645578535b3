/** SQL that places an order in the service's tables. Parameters are `$1` on PostgreSQL, `?1` on SQLite. */
export const statements = (p: '$' | '?') => ({
  readCounters: `SELECT revision, next_order_id FROM stores WHERE id = ${p}1`,
  takeStock: `UPDATE pets SET stock = stock - ${p}1, revision = ${p}2 WHERE store_id = ${p}3 AND id = ${p}4 AND stock >= ${p}1`,
  insertOrder: `INSERT INTO orders (store_id, id, pet_id, quantity, ship_date, status, placed_at, updated_at, revision)
    VALUES (${p}1, ${p}2, ${p}3, ${p}4, ${p}5, 'pending', ${p}6, ${p}6, ${p}7)`,
  appendChange: `INSERT INTO changes (store_id, revision, at, type, order_id, pet_id, quantity, ship_date, placed_at)
    VALUES (${p}1, ${p}2, ${p}3, 'order.placed', ${p}4, ${p}5, ${p}6, ${p}7, ${p}3)`,
  countInWeek: `INSERT INTO order_counts (store_id, week, status, count)
    VALUES (${p}1, ${p}2, 'pending', 1), (${p}1, ${ALL_WEEKS}, 'pending', 1)
    ON CONFLICT (store_id, week, status) DO UPDATE SET count = order_counts.count + 1`,
  saveCounters: `UPDATE stores SET revision = ${p}1, next_order_id = ${p}2 WHERE id = ${p}3`,
});

export const fillStockSql = 'UPDATE pets SET stock = 1000000000';

export const SHIPPING_MS = 3 * 86_400_000;

const WEEK_MS = 7 * 86_400_000;
/** The `week` of the rows that count all weeks: a Monday long before any date. */
const ALL_WEEKS = -120_959_654_400_000;

/** The Monday of the week that contains this time. */
export const weekOf = (at: number) => at - ((at - ALL_WEEKS) % WEEK_MS);
