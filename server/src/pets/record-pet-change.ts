import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import type { EventType } from '../vocabulary.ts';
import type { Pet } from './pet.ts';

interface Change {
  readonly storeId: bigint;
  readonly revision: bigint;
  readonly at: bigint;
  readonly type: Extract<EventType, `pet.${string}`>;
}

/** Appends to the log that this revision of the store made the pet what it is now. */
export async function recordPetChange(
  connection: Connection,
  { pet, ...change }: Change & { pet: Pet },
): Promise<void> {
  await connection.all(insertPetChange, { ...change, ...pet });
}

const insertPetChange = query((db, p: Pet & Change) =>
  db.insertInto('changes').values({
    store_id: p.storeId,
    revision: p.revision,
    at: p.at,
    type: p.type,
    pet_id: p.id,
    name: p.name,
    category: p.category,
    stock: p.stock,
  }),
);
