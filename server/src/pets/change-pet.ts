import { query, valuesOf } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import { verb } from '../writer/verb.ts';
import { findPet, type Pet, type PetFields, petFieldNames } from './pet.ts';
import { recordPetChange } from './record-pet-change.ts';

type ChangePet = { storeId: bigint; petId: bigint; given: Partial<PetFields>; at: bigint };

export const changePet = verb('changePet', async (tx, { storeId, petId, given, at }: ChangePet) => {
  const store = await tx.lockStore(storeId);
  const [before] = await tx.all(findPet, { storeId, petId });
  if (!before) throw new Refusal('not_found');
  const pet: Pet = { ...before, ...given };
  const revision = ++store.revision;
  await tx.all(updatePet, { storeId, revision, ...pet });
  await recordPetChange(tx, pet, { storeId, revision, at, type: 'pet.changed' });
  return pet;
});

const updatePet = query((db, p: Pet & { storeId: bigint; revision: bigint }) =>
  db
    .updateTable('pets')
    .set(valuesOf(p, ['revision', ...petFieldNames]))
    .where('store_id', '=', p.storeId)
    .where('id', '=', p.id),
);
