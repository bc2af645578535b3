import { sql } from 'kysely';
import { query } from '../database/query.ts';
import type { Order } from './change-status.ts';

/**
 * Ids are cut into zones of 1024 (2 to this power). Of each it is kept between which dates its orders ship, so that
 * whoever looks for dates can pass over zones. The span only ever widens: it may be too wide, never too narrow.
 */
const ZONE_BITS = 10n;
const bits = sql.lit(Number(ZONE_BITS));

export const firstOfZone = sql<bigint>`(zone << ${bits})`;
export const lastOfZone = sql<bigint>`((zone << ${bits}) + ${sql.lit((1n << ZONE_BITS) - 1n)})`;

/** The zone of an order, wide enough for its ship date. */
export function zoneOf(storeId: bigint, { id, ship_date }: Order) {
  return { storeId, zone: zoneOfId(id), date: ship_date };
}

export function zoneOfId(id: bigint): bigint {
  return id >> ZONE_BITS;
}

export const widenZone = query((db, p: { storeId: bigint; zone: bigint; date: bigint }) =>
  db
    .insertInto('order_zones')
    .values({ store_id: p.storeId, zone: p.zone, earliest: p.date, latest: p.date })
    .onConflict((conflict) =>
      conflict
        .columns(['store_id', 'zone'])
        .doUpdateSet({
          earliest: sql`CASE WHEN excluded.earliest < order_zones.earliest THEN excluded.earliest ELSE order_zones.earliest END`,
          latest: sql`CASE WHEN excluded.latest > order_zones.latest THEN excluded.latest ELSE order_zones.latest END`,
        })
        .where((eb) =>
          eb.or([
            eb('excluded.earliest', '<', eb.ref('order_zones.earliest')),
            eb('excluded.latest', '>', eb.ref('order_zones.latest')),
          ]),
        ),
    ),
);

/** All zones of a store whose orders were made in bulk. */
export const makeZones = query((db, p: { storeId: bigint }) =>
  db
    .insertInto('order_zones')
    .columns(['store_id', 'zone', 'earliest', 'latest'])
    .expression(
      sql`
        SELECT store_id, id >> ${bits}, min(ship_date), max(ship_date) FROM orders
        WHERE store_id = ${p.storeId} GROUP BY store_id, id >> ${bits}`,
    ),
);
