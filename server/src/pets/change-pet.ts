import { sql } from 'kysely';
import { query } from '../database/query.ts';
import { recordPetChange } from '../events/change-log.ts';
import { Refusal } from '../refusal.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { findPet } from './find-pet.ts';
import type { Pet } from './pet.ts';
import { petRow, petTexts, soundPet } from './pet-sum.ts';

export interface ChangePet {
  readonly storeId: bigint;
  readonly petId: bigint;
  readonly name: string | undefined;
  readonly category: string | undefined;
  readonly stock: bigint | undefined;
  readonly at: bigint;
}

/** Changes what is given of a pet and leaves the rest. */
export async function changePet(
  tx: Transaction,
  { storeId, petId, name, category, stock, at }: ChangePet,
): Promise<Pet> {
  const store = tx.store(storeId);
  const hasTexts = name !== undefined || category !== undefined;
  const update = async (): Promise<Pet> => {
    const found = hasTexts ? await findPet(tx, { storeId, petId }) : undefined;
    const revision = store.nextRevision();
    const [row] = await tx.all(updatePet, {
      storeId,
      petId,
      name: name ?? null,
      category: category ?? null,
      stock: stock ?? null,
      revision,
      more: found
        ? petTexts({ name: name ?? found.name, category: category ?? found.category }) - petTexts(found)
        : 0n,
    });
    if (!row) throw new Refusal('not_found');
    const pet = soundPet(row);
    recordPetChange(store, 'pet.changed', pet, revision, at);
    return pet;
  };
  // In turn: the texts that were read are still there when they are changed.
  return hasTexts ? store.inTurn(update) : update();
}

interface Update {
  storeId: bigint;
  petId: bigint;
  /** Null for what stays as it is. */
  name: string | null;
  category: string | null;
  stock: bigint | null;
  revision: bigint;
  /** By how much the sum of its texts changes. */
  more: bigint;
}

const updatePet = query((db, p: Update) => {
  const supply = sql<bigint>`coalesce(CAST(${p.stock} AS bigint) - stock, 0)`;
  return db
    .updateTable('pets')
    .set({
      name: sql<string>`coalesce(CAST(${p.name} AS text), name)`,
      category: sql<string>`coalesce(CAST(${p.category} AS text), category)`,
      stock: sql<bigint>`stock + ${supply}`,
      supplied: sql<bigint>`supplied + ${supply}`,
      revision: p.revision,
      sum: sql<bigint>`sum + ${supply} + ${supply} + ${p.revision} - revision + ${p.more}`,
    })
    .where('store_id', '=', p.storeId)
    .where('id', '=', p.petId)
    .returning(petRow);
});
