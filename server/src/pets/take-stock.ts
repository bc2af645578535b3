import { type RawBuilder, sql } from 'kysely';
import { eachQuery } from '../database/each-query.ts';
import type { LockedStore } from '../transaction/locked-store.ts';
import type { Transaction } from '../transaction/transaction.ts';
import type { Pet } from './pet.ts';
import { type PetRow, petRow, soundPet } from './pet-sum.ts';

interface Take {
  readonly storeId: bigint;
  readonly petId: bigint;
  readonly units: bigint;
  readonly revision: bigint;
}

/** What changes of a group take of one pet in one go. */
interface Together {
  all: Take;
  count: number;
  readonly taken: Promise<Pet | undefined>;
}

const waiting = new WeakMap<LockedStore, Map<bigint, Together>>();

/**
 * Takes units from a pet's stock; undefined if there are not so many, or there is no such pet. Those of a group who ask
 * in one go get theirs by one statement. Where there is not enough for all of them, each asks for itself, in their order.
 */
export async function takeStock(tx: Transaction, take: Take): Promise<Pet | undefined> {
  const together = joined(tx, take);
  const taken = await together.taken;
  if (taken || together.count === 1) return taken;
  const [row] = await tx.all(takeUnits.one, take);
  return row && soundPet(row);
}

function joined(tx: Transaction, take: Take): Together {
  const store = tx.store(take.storeId);
  const ofPets = waiting.get(store) ?? new Map<bigint, Together>();
  const known = ofPets.get(take.petId);
  if (known) {
    known.all = { ...take, units: known.all.units + take.units };
    known.count++;
    return known;
  }
  const together: Together = {
    all: take,
    count: 1,
    taken: tx
      .each(takeUnits, () => {
        ofPets.delete(take.petId);
        return together.all;
      })
      .then((row) => row && soundPet(row)),
  };
  waiting.set(store, ofPets.set(take.petId, together));
  return together;
}

const takeUnits = eachQuery<Take, PetRow>(
  { storeId: 'bigint', petId: 'bigint', units: 'bigint', revision: 'bigint' },
  ({ storeId, petId, units, revision }, { from }) => sql`
    UPDATE pets SET stock = stock - ${units}, revision = ${revision},
      sum = sum - ${units} + ${revision} - pets.revision ${from}
    WHERE store_id = ${storeId} AND id = ${petId} AND stock >= ${units}`,
  sql.join(petRow) as RawBuilder<PetRow>,
);
