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
  const { storeId, category = null, available, after = null, limit } = request;
  const page = pageOf({ byCategory: category !== null, available, isAfter: after !== null });
  return db.all(page, { storeId, category, after, limit });
}

interface Shape {
  readonly byCategory: boolean;
  readonly available: boolean | undefined;
  readonly isAfter: boolean;
}

const columns = sql.join(petColumns.map((column) => sql.ref(column)));

const pageOf = queryByShape<Shape, Pet>(({ byCategory, available, isAfter }, p, engine) => {
  const conditions = [sql`store_id = ${p.storeId}`];
  if (byCategory) conditions.push(sql`category = ${p.category}`);
  if (available !== undefined) conditions.push(available ? sql`stock > 0` : sql`stock = 0`);
  if (isAfter) conditions.push(sql`id > ${p.after}`);
  const state = available === undefined ? '' : available ? '_available' : '_sold';
  const index = `pets${state}${byCategory ? '_by_category' : ''}`;
  // SQLite is told which index to use: its planner knows no store's size.
  const along = engine === 'sqlite' && index !== 'pets' ? sql` INDEXED BY ${sql.ref(index)}` : sql``;
  return sql`
    SELECT ${columns} FROM pets${along} WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY id LIMIT ${p.limit}`;
});
