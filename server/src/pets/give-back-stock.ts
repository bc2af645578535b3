import { sql } from 'kysely';
import { eachQuery } from '../database/each-query.ts';
import type { LockedStore, SharedWrite } from '../transaction/locked-store.ts';

interface GivenBack {
  storeId: bigint;
  petId: bigint;
  units: bigint;
  revision: bigint;
}

/** Gives units back to a pet's stock. Placements of the same group do not get them, as if all of this came later. */
export function giveBackStock(store: LockedStore, petId: bigint, units: bigint): void {
  store.writeAtEnd(stockGivenBack, { storeId: store.id, petId, units, revision: store.revision });
}

const stockGivenBack: SharedWrite<GivenBack> = {
  statement: eachQuery<GivenBack>(
    { storeId: 'bigint', petId: 'bigint', units: 'bigint', revision: 'bigint' },
    ({ storeId, petId, units, revision }, { from }) => sql`
      UPDATE pets SET stock = stock + ${units}, revision = ${revision},
        sum = sum + ${units} + ${revision} - pets.revision ${from}
      WHERE store_id = ${storeId} AND id = ${petId}`,
  ),
  keyOf: ({ petId }) => petId,
  merge: (earlier, later) => ({ ...later, units: earlier.units + later.units }),
};
