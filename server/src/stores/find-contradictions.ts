import { sql } from 'kysely';
import type { Connection } from '../database/engine.ts';
import { query, raw } from '../database/query.ts';
import { orderStatuses } from '../orders/states.ts';

interface Contradiction {
  store_id: bigint;
  id: bigint;
}

/** What can never be true at once, whatever was asked of the service, and where it is. */
const contradictions = {
  'orders in a state that does not exist': sql`
    SELECT store_id, id FROM orders WHERE status NOT IN (${sql.join(orderStatuses.map((status) => sql.lit(status)))})`,
  'orders changed before they were placed': sql`
    SELECT store_id, id FROM orders WHERE updated_at < placed_at`,
  'orders newer than their store': sql`
    SELECT orders.store_id, orders.id FROM orders JOIN stores ON stores.id = orders.store_id
    WHERE orders.revision > stores.revision`,
  'pets newer than their store': sql`
    SELECT pets.store_id, pets.id FROM pets JOIN stores ON stores.id = pets.store_id
    WHERE pets.revision > stores.revision`,
  'orders of pets that are not there': sql`
    SELECT store_id, id FROM orders WHERE NOT EXISTS
      (SELECT 1 FROM pets WHERE pets.store_id = orders.store_id AND pets.id = orders.pet_id)
      AND store_id IN (SELECT id FROM stores WHERE closed_at IS NULL)`,
  'orders outside the dates of their zone': sql`
    SELECT store_id, id FROM orders WHERE NOT EXISTS
      (SELECT 1 FROM order_zones WHERE order_zones.store_id = orders.store_id AND zone = (orders.id >> 10)
        AND ship_date BETWEEN earliest AND latest)
      AND store_id IN (SELECT id FROM stores WHERE closed_at IS NULL)`,
};

const MOST_SHOWN = 10;

const queries = Object.entries(contradictions).map(([what, statement]) => ({
  what,
  find: query((db, _: Record<never, never>) =>
    raw(db, sql<Contradiction>`${statement} LIMIT ${sql.lit(MOST_SHOWN)}`),
  ),
}));

/** Looks for each kind of contradiction in turn, and says what it found. */
export async function* findContradictions(
  db: Connection,
): AsyncGenerator<{ what: string; problems: string[] }> {
  for (const { what, find } of queries) {
    const found = await db.all(find, {});
    yield { what, problems: found.map(({ store_id, id }) => `store ${store_id}, id ${id}`) };
  }
}
