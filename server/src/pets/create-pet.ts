import { query } from '../database/query.ts';
import { recordPetChange } from '../events/change-log.ts';
import { NO_QUOTA } from '../quotas.ts';
import { Refusal } from '../refusal.ts';
import type { Transaction } from '../transaction/transaction.ts';
import type { Pet } from './pet.ts';

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
  await tx.all(insertPet, { ...pet, storeId, revision });
  recordPetChange(store, 'pet.created', pet, revision, at);
  return pet;
}

const insertPet = query((db, p: Pet & { storeId: bigint; revision: bigint }) =>
  db.insertInto('pets').values({
    store_id: p.storeId,
    id: p.id,
    name: p.name,
    category: p.category,
    stock: p.stock,
    revision: p.revision,
  }),
);
