import { query } from '../database/query.ts';
import { recordPetChange } from '../events/change-log.ts';
import { NO_QUOTA } from '../quotas.ts';
import { Refusal } from '../refusal.ts';
import type { Transaction } from '../transaction/transaction.ts';
import type { Pet } from './pet.ts';
import { newPet, petTexts } from './pet-sum.ts';

/** Adds a pet to the store. */
export async function createPet(
  tx: Transaction,
  {
    storeId,
    name,
    category,
    stock,
    at,
    most = NO_QUOTA,
  }: { storeId: bigint; name: string; category: string; stock: bigint; at: bigint; most?: bigint },
): Promise<Pet> {
  const store = tx.store(storeId);
  if (store.pets >= most) throw new Refusal('pet_limit_reached');
  const pet = { id: store.nextPetId(), name, category, stock };
  const revision = store.nextRevision();
  await tx.all(insertPet, { ...pet, storeId, revision, texts: petTexts(pet) });
  recordPetChange(store, 'pet.created', pet, revision, at);
  return pet;
}

const insertPet = query((db, p: Pet & { storeId: bigint; revision: bigint; texts: bigint }) =>
  db.insertInto('pets').values(newPet(p)),
);
