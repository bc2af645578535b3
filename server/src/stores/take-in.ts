import { sql } from 'kysely';
import type { Connection } from '../database/engine.ts';
import { query, raw } from '../database/query.ts';
import { makeZones } from '../orders/order-zones.ts';

interface Range {
  storeId: bigint;
  first: bigint;
  last: bigint;
}

/** Writes down what a store keeps about these orders besides their rows, after they were made in bulk. */
export async function takeIn(connection: Connection, orders: Range): Promise<void> {
  await connection.all(makeZones, orders);
  await connection.all(supply, orders);
}

/** What they hold was supplied besides what is in stock. */
const supply = query((db, p: Range) =>
  raw<never>(
    db,
    sql`
      UPDATE pets SET supplied = supplied + held.units, sum = sum + held.units
      FROM (
        SELECT pet_id, CAST(sum(quantity) AS bigint) AS units FROM orders
        WHERE store_id = ${p.storeId} AND id BETWEEN ${p.first} AND ${p.last} AND status <> 'cancelled'
        GROUP BY pet_id
      ) AS held
      WHERE pets.store_id = ${p.storeId} AND pets.id = held.pet_id`,
  ),
);
