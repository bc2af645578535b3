import { sql } from 'kysely';
import { query } from '../database/query.ts';
import { recordPetChange } from '../events/change-log.ts';
import { Refusal } from '../refusal.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { findPet } from './find-pet.ts';
import type { Pet } from './pet.ts';
import { type PetRow, petRow, petTexts, soundPet } from './pet-sum.ts';

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
  // In turn: what is read of it is still there when it is changed.
  return store.inTurn(async () => {
    const found = await findPet(tx, { storeId, petId });
    if (!found) throw new Refusal('not_found');
    const changed = { name: name ?? found.name, category: category ?? found.category };
    const revision = store.nextRevision();
    const [row] = await tx.all(updatePet, {
      storeId,
      petId,
      ...changed,
      stock: stock ?? null,
      revision,
      more: petTexts(changed) - petTexts(found),
    });
    const pet = soundPet(row as PetRow);
    recordPetChange(store, 'pet.changed', pet, revision, at);
    return pet;
  });
}

interface Update {
  storeId: bigint;
  petId: bigint;
  name: string;
  category: string;
  /** Null to leave it to those who order and cancel. */
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
      name: p.name,
      category: p.category,
      stock: sql<bigint>`stock + ${supply}`,
      supplied: sql<bigint>`supplied + ${supply}`,
      revision: p.revision,
      sum: sql<bigint>`sum + ${supply} + ${supply} + ${p.revision} - revision + ${p.more}`,
    })
    .where('store_id', '=', p.storeId)
    .where('id', '=', p.petId)
    .returning(petRow);
});
