import type { Connection } from '../database/engine.ts';
import { type Query, query, type Value } from '../database/query.ts';
import type { Pet } from './pet.ts';

export interface PetPageRequest {
  readonly storeId: bigint;
  readonly category: string | undefined;
  /** Whether any must be left, or none. */
  readonly available: boolean | undefined;
  readonly after: bigint | undefined;
  readonly limit: bigint;
}

/** One page of pets, by ascending id. */
export function petPage(db: Connection, request: PetPageRequest): Promise<Pet[]> {
  const { storeId, category, available, after, limit } = request;
  const shape = [category !== undefined, available, after !== undefined] as const;
  const key = shape.join();
  const page = pageQueries.get(key) ?? pageQuery(...shape);
  pageQueries.set(key, page);
  return db.all(page, { storeId, category: category ?? null, after: after ?? null, limit });
}

type PageParams = Record<string, Value>;
const pageQueries = new Map<string, Query<PageParams, Pet>>();

function pageQuery(
  byCategory: boolean,
  available: boolean | undefined,
  after: boolean,
): Query<PageParams, Pet> {
  return query(
    (db, p: PageParams) => {
      let page = db
        .selectFrom('pets')
        .select(['id', 'name', 'category', 'stock'])
        .where('store_id', '=', p.storeId as bigint);
      if (byCategory) page = page.where('category', '=', p.category as string);
      if (available !== undefined) page = page.where('stock', available ? '>' : '=', 0n);
      if (after) page = page.where('id', '>', p.after as bigint);
      return page.orderBy('id').limit(p.limit as bigint);
    },
    { plannedEachTime: true },
  );
}
