import { sql } from 'kysely';
import { type Connection, query, queryByShape } from '../database/query.ts';
import type { BodyOf } from '../http/fields/body.ts';
import { integer, PLAIN_TEXT, text, withDefault } from '../http/fields/field.ts';

export const MAX_CATEGORY_LENGTH = 50;

/** All fields of a pet except its id. The tables of pets and changes have columns of these names. Optional fields have defaults. */
export const petFields = {
  name: text({ maxLength: 100, pattern: PLAIN_TEXT }, 'Name of the pet.', 'Luna'),
  category: text(
    { maxLength: MAX_CATEGORY_LENGTH, pattern: PLAIN_TEXT },
    'Kind of animal, such as `dog`.',
    'cat',
  ),
  stock: withDefault(integer([0, 1_000_000_000], 'Units in stock.', 3, { format: 'int64' }), 0n),
};

export type PetFields = BodyOf<typeof petFields>;
export type Pet = PetFields & { readonly id: bigint };

export const petFieldNames = Object.keys(petFields) as Array<keyof PetFields>;
const petColumns = ['id', ...petFieldNames] as const;

export const findPet = query((db, p: { storeId: bigint; petId: bigint }) =>
  db.selectFrom('pets').select(petColumns).where('store_id', '=', p.storeId).where('id', '=', p.petId),
);

/** Adds `by` units, which may be negative. Returns no row if the stock is insufficient or the pet does not exist. */
export const adjustStock = query((db, p: { storeId: bigint; petId: bigint; by: bigint; revision: bigint }) =>
  db
    .updateTable('pets')
    .set({ stock: sql<bigint>`stock + ${p.by}`, revision: p.revision })
    .where('store_id', '=', p.storeId)
    .where('id', '=', p.petId)
    .where(sql`stock + ${p.by}`, '>=', 0n)
    .returning('id'),
);

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
  // SQLite's planner does not know the sizes of stores: name the index.
  const indexHint = engine === 'sqlite' && index !== 'pets' ? sql` INDEXED BY ${sql.ref(index)}` : sql``;
  return sql`
    SELECT ${columns} FROM pets${indexHint} WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY id LIMIT ${limit}`;
});
