/** The tables that a placement touches, with what they are looked up by. */
export const tables = `
  CREATE TABLE IF NOT EXISTS stores (id BIGINT PRIMARY KEY, revision BIGINT, next_order_id BIGINT);
  CREATE TABLE IF NOT EXISTS pets (store_id BIGINT, id BIGINT, stock BIGINT, PRIMARY KEY (store_id, id));
  CREATE TABLE IF NOT EXISTS orders (store_id BIGINT, id BIGINT, pet_id BIGINT, quantity BIGINT, ship_date BIGINT,
    status TEXT, placed_at BIGINT, updated_at BIGINT, revision BIGINT, PRIMARY KEY (store_id, id));
  CREATE INDEX IF NOT EXISTS by_ship_date ON orders (store_id, ship_date, id);
  CREATE INDEX IF NOT EXISTS by_status ON orders (store_id, status, id);
  CREATE INDEX IF NOT EXISTS by_pet ON orders (store_id, pet_id, id);
  CREATE TABLE IF NOT EXISTS changes (store_id BIGINT, revision BIGINT, at BIGINT, type TEXT, order_id BIGINT,
    pet_id BIGINT, quantity BIGINT, ship_date BIGINT, placed_at BIGINT, PRIMARY KEY (store_id, revision));
  CREATE TABLE IF NOT EXISTS counts (store_id BIGINT, week BIGINT, status TEXT, orders BIGINT,
    PRIMARY KEY (store_id, week, status));
`;

/** What is done to them, with parameters as the engine writes them: `$1` or `?1`. */
export const statements = (p: '$' | '?') => ({
  openStore: `INSERT INTO stores VALUES (${p}1, 0, 1) ON CONFLICT DO NOTHING`,
  stockUp: `INSERT INTO pets VALUES (${p}1, 1, 1000000000) ON CONFLICT DO NOTHING`,
  counters: `SELECT revision, next_order_id FROM stores WHERE id = ${p}1`,
  take: `UPDATE pets SET stock = stock - ${p}1 WHERE store_id = ${p}2 AND id = ${p}3 AND stock >= ${p}1`,
  insert: `INSERT INTO orders VALUES (${p}1, ${p}2, ${p}3, ${p}4, ${p}5, 'pending', ${p}6, ${p}6, ${p}7)`,
  record: `INSERT INTO changes VALUES (${p}1, ${p}2, ${p}3, 'order.placed', ${p}4, ${p}5, ${p}6, ${p}7, ${p}3)`,
  count: `INSERT INTO counts VALUES (${p}1, ${p}2, 'pending', 1)
    ON CONFLICT (store_id, week, status) DO UPDATE SET orders = counts.orders + 1`,
  save: `UPDATE stores SET revision = ${p}1, next_order_id = ${p}2 WHERE id = ${p}3`,
});

export const SHIPPING_MS = 3 * 86_400_000;
export const WEEK_MS = 7 * 86_400_000;
