import { crc32 } from 'node:zlib';
import { type RawBuilder, sql } from 'kysely';
import { smallFrom } from '../database/row-sum.ts';
import type { Pet } from './pet.ts';

type Summed = 'id' | 'stock' | 'supplied' | 'revision';

const inRow = (column: Summed) => sql.ref(`pets.${column}`);

/** What the numbers of a pet's row add up to; its sum is that and the sum of its texts. */
export function petNumbers(of: (column: Summed) => RawBuilder<unknown> = inRow): RawBuilder<bigint> {
  return sql`${smallFrom(of('id'))} + ${of('stock')} + ${of('supplied')} + ${of('revision')}`;
}

/** The databases have no function in common that sums up texts. */
export function petTexts({ name, category }: Pick<Pet, 'name' | 'category'>): bigint {
  return BigInt(crc32(`${name}\n${category}`));
}

/** The row of a pet that nobody has ordered yet. */
export function newPet(p: Pet & { storeId: bigint; revision: bigint; texts: bigint }) {
  const numbers = { id: p.id, stock: p.stock, supplied: p.stock, revision: p.revision };
  return {
    store_id: p.storeId,
    ...numbers,
    name: p.name,
    category: p.category,
    sum: sql<bigint>`${petNumbers((column) => sql`${numbers[column]}`)} + ${p.texts}`,
  };
}

/** A pet as it is read: with what is left of its row's sum for its texts. */
export interface PetRow extends Pet {
  store_id: bigint;
  texts: bigint;
}

/** Everything that a `PetRow` is made of. */
export const petRow = [
  ...(['store_id', 'id', 'name', 'category', 'stock'] as const).map((column) =>
    sql.ref<never>(`pets.${column}`).as(column),
  ),
  sql<bigint>`pets.sum - (${petNumbers()})`.as('texts'),
] as const;

export function isSoundPet(row: PetRow): boolean {
  return row.texts === petTexts(row);
}

/** Rather no answer than a wrong one: throws if the row is not as it was written. */
export function soundPet(row: PetRow): Pet {
  const { store_id, texts, ...pet } = row;
  if (!isSoundPet(row))
    throw new Error(`the database is damaged: pet ${pet.id} of store ${store_id} is not as it was written`);
  return pet;
}
