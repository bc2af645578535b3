import { sql } from 'kysely';
import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';

export interface Units {
  readonly storeId: bigint;
  readonly petId: bigint;
  readonly units: bigint;
  readonly revision: bigint;
}

/** Takes units from a pet's stock; false if there are not so many, or there is no such pet. */
export async function takeStock(connection: Connection, units: Units): Promise<boolean> {
  return (await connection.all(takeUnits, units)).length > 0;
}

export async function giveBackStock(connection: Connection, units: Units): Promise<void> {
  await connection.all(takeUnits, { ...units, units: -units.units });
}

/** One conditional statement decides: stock is never negative. */
const takeUnits = query((db, p: Units) =>
  db
    .updateTable('pets')
    .set({ stock: sql<bigint>`stock - ${p.units}`, revision: p.revision })
    .where('store_id', '=', p.storeId)
    .where('id', '=', p.petId)
    .where('stock', '>=', p.units)
    .returning('id'),
);
