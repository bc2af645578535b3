import { sql } from 'kysely';
import type { Connection } from '../database/engine.ts';
import { query, raw } from '../database/query.ts';
import type { Order } from './order.ts';

/**
 * Ids are cut into zones of 1024 (2 to this power). The table keeps between which dates the orders of a zone ship, so
 * that a search for dates passes over zones. The span only ever widens: it may be too wide, never too narrow.
 */
const ZONE_BITS = 10n;
const bits = sql.lit(Number(ZONE_BITS));

export const firstOfZone = sql<bigint>`(zone << ${bits})`;
export const lastOfZone = sql<bigint>`((zone << ${bits}) + ${sql.lit((1n << ZONE_BITS) - 1n)})`;

export function zoneOfId(id: bigint): bigint {
  return id >> ZONE_BITS;
}

interface Zone {
  storeId: bigint;
  zone: bigint;
  date: bigint;
}

/** Makes the zone of an order with a new ship date, or makes it wide enough. Whoever changes a ship date calls it. */
export async function widenZoneOf(connection: Connection, storeId: bigint, order: Order): Promise<void> {
  await connection.all(widenZone, { storeId, zone: zoneOfId(order.id), date: order.ship_date });
}

const widenZone = query((db, p: Zone) =>
  raw<never>(
    db,
    sql`
      INSERT INTO order_zones (store_id, zone, earliest, latest) VALUES (${p.storeId}, ${p.zone}, ${p.date}, ${p.date})
      ON CONFLICT (store_id, zone) DO UPDATE SET
        earliest = CASE WHEN excluded.earliest < order_zones.earliest THEN excluded.earliest ELSE order_zones.earliest END,
        latest = CASE WHEN excluded.latest > order_zones.latest THEN excluded.latest ELSE order_zones.latest END
      WHERE excluded.earliest < order_zones.earliest OR excluded.latest > order_zones.latest`,
  ),
);

/** Every id that an order can have. */
export const anyId = { first: -(2n ** 63n), last: 2n ** 63n - 1n };

/** The zones of these ids, whose orders were made in bulk. */
export const makeZones = query((db, p: { storeId: bigint; first: bigint; last: bigint }) =>
  db
    .insertInto('order_zones')
    .columns(['store_id', 'zone', 'earliest', 'latest'])
    .expression(
      sql`
        SELECT store_id, id >> ${bits}, min(ship_date), max(ship_date) FROM orders
        WHERE store_id = ${p.storeId} AND id BETWEEN ${p.first} AND ${p.last} GROUP BY store_id, id >> ${bits}`,
    ),
);
