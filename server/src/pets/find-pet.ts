import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import type { Pet } from './pet.ts';
import { petRow, soundPet } from './pet-sum.ts';

export async function findPet(
  db: Connection,
  which: { storeId: bigint; petId: bigint },
): Promise<Pet | undefined> {
  const [pet] = await db.all(readPet, which);
  return pet && soundPet(pet);
}

const readPet = query((db, p: { storeId: bigint; petId: bigint }) =>
  db.selectFrom('pets').select(petRow).where('store_id', '=', p.storeId).where('id', '=', p.petId),
);
