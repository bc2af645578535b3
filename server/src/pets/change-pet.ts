import { sql } from 'kysely';
import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import { verb } from '../writer/verb.ts';
import { type Pet, petColumns } from './pet.ts';
import { recordPetChange } from './record-pet-change.ts';

export interface ChangePet {
  readonly storeId: bigint;
  readonly petId: bigint;
  readonly name: string | undefined;
  readonly category: string | undefined;
  readonly stock: bigint | undefined;
  readonly at: bigint;
}

/** Changes what is given of a pet and leaves the rest. */
export const changePet = verb('changePet', async (tx, change: ChangePet): Promise<Pet> => {
  const { storeId, petId, name = null, category = null, stock = null, at } = change;
  const store = await tx.lockStore(storeId);
  const revision = store.revision + 1n;
  const [pet] = await tx.all(updatePet, { storeId, petId, name, category, stock, revision });
  if (!pet) throw new Refusal('not_found');
  store.revision = revision;
  await recordPetChange(tx, { storeId, revision, at, type: 'pet.changed', pet });
  return pet;
});

interface Update {
  storeId: bigint;
  petId: bigint;
  /** Null for what stays as it is. */
  name: string | null;
  category: string | null;
  stock: bigint | null;
  revision: bigint;
}

const updatePet = query((db, p: Update) =>
  db
    .updateTable('pets')
    .set({
      name: sql<string>`coalesce(CAST(${p.name} AS text), name)`,
      category: sql<string>`coalesce(CAST(${p.category} AS text), category)`,
      stock: sql<bigint>`coalesce(CAST(${p.stock} AS bigint), stock)`,
      revision: p.revision,
    })
    .where('store_id', '=', p.storeId)
    .where('id', '=', p.petId)
    .returning(petColumns),
);
