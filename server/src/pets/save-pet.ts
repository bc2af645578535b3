import { query } from '../database/query.ts';
import { insertRow, updateRows } from '../database/rows.ts';
import { DomainError } from '../domain/domain-error.ts';
import { MAX_CLIENT_CHOSEN_IDS, NO_QUOTA } from '../domain/quotas.ts';
import type { EventType } from '../domain/vocabulary.ts';
import { type Transaction, verb } from '../writer/verb.ts';
import { findPet, type Pet, type PetFields } from './pet.ts';

type CreatePet = PetFields & { storeId: bigint; at: bigint; maxPets?: bigint };

export const createPet = verb('createPet', async (tx, request: CreatePet): Promise<Pet> => {
  const { storeId, at, maxPets = NO_QUOTA, ...fields } = request;
  const store = await tx.lockStore(storeId);
  // Ids count up from 1, so pets are counted only near the quota.
  const isNearQuota = store.next_pet_id + MAX_CLIENT_CHOSEN_IDS > maxPets;
  const [pets] = isNearQuota ? await tx.all(countPets, { storeId }) : [];
  if (pets && pets.count >= maxPets) throw new DomainError('pet_limit_reached');
  const pet: Pet = { id: store.next_pet_id++, ...fields };
  const change = { store_id: storeId, revision: ++store.revision };
  await insertRow(tx, 'pets', { ...change, ...pet });
  await recordChange(tx, pet, { ...change, at, type: 'pet.created' });
  return pet;
});

const countPets = query((db, p: { storeId: bigint }) =>
  db
    .selectFrom('pets')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('store_id', '=', p.storeId),
);

type ChangePet = { storeId: bigint; petId: bigint; given: Partial<PetFields>; at: bigint };

export const changePet = verb('changePet', async (tx, { storeId, petId, given, at }: ChangePet) => {
  const store = await tx.lockStore(storeId);
  const [before] = await tx.all(findPet, { storeId, petId });
  if (!before) throw new DomainError('not_found');
  const revision = ++store.revision;
  await updateRows(tx, 'pets', { store_id: storeId, id: petId }, { ...given, revision });
  const pet: Pet = { ...before, ...given };
  await recordChange(tx, pet, { store_id: storeId, revision, at, type: 'pet.changed' });
  return pet;
});

type Change = { store_id: bigint; revision: bigint; at: bigint; type: EventType };

async function recordChange(tx: Transaction, { id, ...fields }: Pet, change: Change): Promise<void> {
  await insertRow(tx, 'changes', { ...change, pet_id: id, ...fields, traceparent: tx.traceparent });
}
