import { sql } from 'kysely';
import type { Connection } from '../database/engine.ts';
import { queryByShape } from '../database/query.ts';
import { type Pet, petColumns } from './pet.ts';

interface PetPageRequest {
  readonly storeId: bigint;
  readonly category?: string | undefined;
  readonly available?: boolean | undefined;
  readonly after: bigint | undefined;
  readonly limit: bigint;
}

export function petPage(db: Connection, request: PetPageRequest): Promise<Pet[]> {
  return db.all(pageOf(request), request);
}

const columns = sql.join(petColumns.map((column) => sql.ref(column)));

const pageOf = queryByShape<PetPageRequest, Pet>(({ storeId, category, available, after, limit }, engine) => {
  const conditions = [sql`store_id = ${storeId}`];
  if (category !== undefined) conditions.push(sql`category = ${category}`);
  if (available !== undefined) conditions.push(available ? sql`stock > 0` : sql`stock = 0`);
  if (after !== undefined) conditions.push(sql`id > ${after}`);
  const state = available === undefined ? '' : available ? '_available' : '_sold';
  const index = `pets${state}${category === undefined ? '' : '_by_category'}`;
  // SQLite is told which index to use: its planner knows no store's size.
  const along = engine === 'sqlite' && index !== 'pets' ? sql` INDEXED BY ${sql.ref(index)}` : sql``;
  return sql`
    SELECT ${columns} FROM pets${along} WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY id LIMIT ${limit}`;
});
