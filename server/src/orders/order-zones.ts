import { sql } from 'kysely';
import { eachQuery } from '../database/each-query.ts';
import { query } from '../database/query.ts';
import type { LockedStore, SharedWrite } from '../transaction/locked-store.ts';
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
  earliest: bigint;
  latest: bigint;
}

/** Makes the zone of an order with a new ship date, or makes it wide enough. Whoever changes a ship date calls it. */
export function widenZoneOf(store: LockedStore, { id, ship_date: date }: Order): void {
  store.writeAtEnd(widerZones, { storeId: store.id, zone: zoneOfId(id), earliest: date, latest: date });
}

const widerZones: SharedWrite<Zone> = {
  statement: eachQuery<Zone>(
    { storeId: 'bigint', zone: 'bigint', earliest: 'bigint', latest: 'bigint' },
    ({ storeId, zone, earliest, latest }, { values }) => sql`
      INSERT INTO order_zones (store_id, zone, earliest, latest) ${values([storeId, zone, earliest, latest])}
      ON CONFLICT (store_id, zone) DO UPDATE SET
        earliest = CASE WHEN excluded.earliest < order_zones.earliest THEN excluded.earliest ELSE order_zones.earliest END,
        latest = CASE WHEN excluded.latest > order_zones.latest THEN excluded.latest ELSE order_zones.latest END
      WHERE excluded.earliest < order_zones.earliest OR excluded.latest > order_zones.latest`,
  ),
  keyOf: ({ zone }) => zone,
  merge: (one, other) => ({
    ...one,
    earliest: smaller(one.earliest, other.earliest),
    latest: larger(one.latest, other.latest),
  }),
};

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

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
