import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import { type Pet, petColumns } from './pet.ts';

export async function findPet(
  db: Connection,
  which: { storeId: bigint; petId: bigint },
): Promise<Pet | undefined> {
  const [pet] = await db.all(readPet, which);
  return pet;
}

const readPet = query((db, p: { storeId: bigint; petId: bigint }) =>
  db.selectFrom('pets').select(petColumns).where('store_id', '=', p.storeId).where('id', '=', p.petId),
);
