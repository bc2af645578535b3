import { query, valuesOf } from '../database/query.ts';
import { NO_QUOTA } from '../quotas.ts';
import { Refusal } from '../refusal.ts';
import { verb } from '../writer/verb.ts';
import { type Pet, type PetFields, petColumns } from './pet.ts';
import { recordPetChange } from './record-pet-change.ts';

type CreatePet = PetFields & { storeId: bigint; at: bigint; most?: bigint };

export const createPet = verb('createPet', async (tx, request: CreatePet): Promise<Pet> => {
  const { storeId, at, most = NO_QUOTA, ...fields } = request;
  const store = await tx.lockStore(storeId);
  // No pet is ever deleted. Ids are counted from 1, unless a client chose them: only then there may be fewer.
  const [pets] = store.next_pet_id > most ? await tx.all(countPets, { storeId }) : [];
  if (pets && pets.count >= most) throw new Refusal('pet_limit_reached');
  const pet: Pet = { id: store.next_pet_id++, ...fields };
  const revision = ++store.revision;
  await tx.all(insertPet, { storeId, revision, ...pet });
  await recordPetChange(tx, pet, { storeId, revision, at, type: 'pet.created' });
  return pet;
});

const countPets = query((db, p: { storeId: bigint }) =>
  db
    .selectFrom('pets')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('store_id', '=', p.storeId),
);

const insertPet = query((db, p: Pet & { storeId: bigint; revision: bigint }) =>
  db.insertInto('pets').values({ store_id: p.storeId, ...valuesOf(p, ['revision', ...petColumns]) }),
);
