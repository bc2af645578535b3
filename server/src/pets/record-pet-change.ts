import { query, valuesOf } from '../database/query.ts';
import type { EventType } from '../vocabulary.ts';
import type { Transaction } from '../writer/transaction.ts';
import { type Pet, type PetFields, petFieldNames } from './pet.ts';

type PetEvent = Extract<EventType, `pet.${string}`>;

type Change = { storeId: bigint; revision: bigint; at: bigint; type: PetEvent };

export async function recordPetChange(tx: Transaction, pet: Pet, change: Change): Promise<void> {
  await tx.all(insertPetChange, { ...change, ...pet, traceparent: tx.traceparent });
}

const insertPetChange = query((db, p: Pet & Change & { traceparent: string | null }) =>
  db.insertInto('changes').values({
    store_id: p.storeId,
    pet_id: p.id,
    ...valuesOf(p, ['revision', 'at', 'type', 'traceparent', ...petFieldNames]),
  }),
);

type Recorded = { readonly [K in keyof PetFields]: PetFields[K] | null };

export function recordedPet(entry: Recorded & { type: EventType; pet_id: bigint | null }): Pet | undefined {
  if (!entry.type.startsWith('pet.')) return undefined;
  return { id: entry.pet_id, ...valuesOf(entry, petFieldNames) } as Pet;
}
