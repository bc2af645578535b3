import { sql } from 'kysely';
import { query, valuesOf } from '../database/query.ts';
import { verb } from '../writer/verb.ts';
import { DRAWN_BELOW, draw } from './data-sets.ts';

export interface ArmedFault {
  /** Such as `v1.cancelOrder`, or `*` for all. */
  readonly operation: string;
  readonly fault: string;
  /** JSON. */
  readonly parameters: string;
  readonly times: bigint | null;
  readonly probability: number;
  readonly seed: bigint;
}

/** Faults that nobody disarms end by themselves. */
const ARMED_MS = 86_400_000n;

export const armFaults = verb(
  'armFaults',
  async (
    tx,
    { storeId, faults, at }: { storeId: bigint; faults: readonly ArmedFault[]; at: bigint },
  ): Promise<void> => {
    await tx.lockStore(storeId);
    await tx.all(setFaultsUntil, { storeId, until: faults.length === 0 ? null : at + ARMED_MS });
    await tx.all(deleteFaults, { storeId });
    for (const [index, fault] of faults.entries()) {
      const probability = String(fault.probability);
      await tx.all(insertFault, { ...fault, storeId, position: BigInt(index), probability });
    }
  },
);

/** The first of these faults that fires for one more request. As the store is locked, all replicas count exactly. */
export const drawFault = verb(
  'drawFault',
  async (
    tx,
    { storeId, positions }: { storeId: bigint; positions: readonly bigint[] },
  ): Promise<Pick<ArmedFault, 'operation' | 'fault' | 'parameters'> | undefined> => {
    await tx.lockStore(storeId);
    for (const position of positions) {
      const [rule] = await tx.all(countDrawn, { storeId, position });
      if (!rule || draw(rule.seed, `request ${rule.drawn}`) >= Number(rule.probability) * DRAWN_BELOW)
        continue;
      await tx.all(countFired, { storeId, position });
      return rule;
    }
    return undefined;
  },
);

export const findFaults = query((db, p: { storeId: bigint; now: bigint }) =>
  db
    .selectFrom('faults')
    .innerJoin('stores', 'stores.id', 'faults.store_id')
    .where('stores.faults_until', '>', p.now)
    .select([...columns, 'fired'])
    .where('store_id', '=', p.storeId)
    .orderBy('position'),
);

const columns = ['position', 'operation', 'fault', 'parameters', 'times', 'probability', 'seed'] as const;

const setFaultsUntil = query((db, p: { storeId: bigint; until: bigint | null }) =>
  db.updateTable('stores').set({ faults_until: p.until }).where('id', '=', p.storeId),
);

const deleteFaults = query((db, p: { storeId: bigint }) =>
  db.deleteFrom('faults').where('store_id', '=', p.storeId),
);

type FaultRow = Omit<ArmedFault, 'probability'> & { storeId: bigint; position: bigint; probability: string };

const insertFault = query((db, p: FaultRow) =>
  db.insertInto('faults').values({ store_id: p.storeId, ...valuesOf(p, columns), drawn: 0n, fired: 0n }),
);

const countDrawn = query((db, p: { storeId: bigint; position: bigint }) =>
  db
    .updateTable('faults')
    .set({ drawn: sql<bigint>`drawn + 1` })
    .where('store_id', '=', p.storeId)
    .where('position', '=', p.position)
    .where((eb) => eb.or([eb('times', 'is', null), eb('fired', '<', eb.ref('times'))]))
    .returning([...columns, 'drawn']),
);

const countFired = query((db, p: { storeId: bigint; position: bigint }) =>
  db
    .updateTable('faults')
    .set({ fired: sql<bigint>`fired + 1` })
    .where('store_id', '=', p.storeId)
    .where('position', '=', p.position),
);
