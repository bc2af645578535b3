import { query } from '../database/query.ts';
import { recordPetChange } from '../events/change-log.ts';
import { Refusal } from '../refusal.ts';
import type { Transaction } from '../transaction/transaction.ts';
import type { Pet } from './pet.ts';

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
  const revision = store.nextRevision();
  const [pet] = await tx.all(updatePet, {
    storeId,
    petId,
    name: name ?? null,
    category: category ?? null,
    stock: stock ?? null,
    revision,
  });
  if (!pet) throw new Refusal('not_found');
  recordPetChange(store, 'pet.changed', pet, revision, at);
  return pet;
}

interface Update {
  storeId: bigint;
  petId: bigint;
  name: string | null;
  category: string | null;
  stock: bigint | null;
  revision: bigint;
}

const updatePet = query((db, p: Update) =>
  db
    .updateTable('pets')
    .set((eb) => ({
      name: eb.fn.coalesce(eb.val(p.name), 'name'),
      category: eb.fn.coalesce(eb.val(p.category), 'category'),
      stock: eb.fn.coalesce(eb.val(p.stock), 'stock'),
      revision: p.revision,
    }))
    .where('store_id', '=', p.storeId)
    .where('id', '=', p.petId)
    .returning(['id', 'name', 'category', 'stock']),
);
