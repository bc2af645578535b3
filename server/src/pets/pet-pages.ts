import { sql } from 'kysely';
import type { Connection } from '../database/engine.ts';
import { type Query, query, raw, type Value } from '../database/query.ts';
import { type Pet, petColumns } from './pet.ts';

interface PetPageRequest {
  readonly storeId: bigint;
  readonly category?: string | undefined;
  /** Whether any must be left, or none. */
  readonly available?: boolean | undefined;
  readonly after: bigint | undefined;
  readonly limit: bigint;
}

/** One page of pets, by ascending id. */
export async function petPage(db: Connection, request: PetPageRequest): Promise<Pet[]> {
  const { storeId, category, available, after, limit } = request;
  const shape = [category !== undefined, available, after !== undefined] as const;
  const key = shape.join();
  const page = pageQueries.get(key) ?? petPageQuery(...shape);
  pageQueries.set(key, page);
  return db.all(page, { storeId, category: category ?? null, after: after ?? null, limit });
}

type PageParams = Record<string, Value>;
const pageQueries = new Map<string, Query<PageParams, Pet>>();

/** The one index that is made for a page; undefined for the primary key. */
function indexFor(byCategory: boolean, available: boolean | undefined): string | undefined {
  const state = available === undefined ? '' : available ? '_available' : '_sold';
  return byCategory || state !== '' ? `pets${state}${byCategory ? '_by_category' : ''}` : undefined;
}

function petPageQuery(
  byCategory: boolean,
  available: boolean | undefined,
  after: boolean,
): Query<PageParams, Pet> {
  return query(
    (db, p: PageParams, engine) => {
      const conditions = [sql`store_id = ${p.storeId}`];
      if (byCategory) conditions.push(sql`category = ${p.category}`);
      if (available !== undefined) conditions.push(available ? sql`stock > 0` : sql`stock = 0`);
      if (after) conditions.push(sql`id > ${p.after}`);
      const index = indexFor(byCategory, available);
      // SQLite is told which: its planner knows no store's size.
      const along = engine !== 'sqlite' || index === undefined ? sql`` : sql` INDEXED BY ${sql.ref(index)}`;
      return raw<Pet>(
        db,
        sql`SELECT ${sql.join(petColumns.map((column) => sql.ref(column)))} FROM pets${along}
          WHERE ${sql.join(conditions, sql` AND `)} ORDER BY id LIMIT ${p.limit}`,
      );
    },
    { plannedEachTime: true },
  );
}
