import { sql } from 'kysely';
import { query } from '../database/query.ts';
import { verb } from '../writer/verb.ts';
import { draw } from './data-sets.ts';

/** A fault that was armed for requests of a store. */
export interface ArmedFault {
  /** Such as `v1.cancelOrder`, or `*` for all. */
  readonly operation: string;
  readonly fault: string;
  /** JSON. */
  readonly parameters: string;
  /** How often it may fire; null for always. */
  readonly times: bigint | null;
  /** From 0 to 1. */
  readonly probability: number;
  readonly seed: bigint;
}

/** Faults that nobody disarms end by themselves. */
const ARMED_MS = 86_400_000n;

/** Arms these faults in place of those that were armed before. */
export const armFaults = verb(
  'armFaults',
  async (
    tx,
    { storeId, faults, at }: { storeId: bigint; faults: readonly ArmedFault[]; at: bigint },
  ): Promise<void> => {
    await tx.lockStore(storeId);
    await tx.all(setFaultsUntil, { storeId, until: faults.length === 0 ? null : at + ARMED_MS });
    await tx.all(deleteFaults, { storeId });
    for (const [index, { probability, ...fault }] of faults.entries()) {
      const row = { ...fault, storeId, position: BigInt(index), probability: String(probability) };
      await tx.all(insertFault, row);
    }
  },
);

/**
 * Draws, of these armed faults in their order, the first that fires for one more request, and counts it. Each count is
 * one conditional statement: over all replicas, a fault fires exactly as often as it may, for the same requests.
 */
export const drawFault = verb(
  'drawFault',
  async (
    tx,
    { storeId, positions }: { storeId: bigint; positions: readonly bigint[] },
  ): Promise<Pick<ArmedFault, 'operation' | 'fault' | 'parameters'> | undefined> => {
    await tx.lockStore(storeId);
    for (const position of positions) {
      const [rule] = await tx.all(countDrawn, { storeId, position });
      if (!rule || !fires(rule)) continue;
      return (await tx.all(countFired, { storeId, position }))[0];
    }
    return undefined;
  },
);

const OUT_OF = 2 ** 30;

function fires({ seed, drawn, probability }: { seed: bigint; drawn: bigint; probability: string }): boolean {
  return draw(seed, `request ${drawn}`) < Number(probability) * OUT_OF;
}

/** The armed faults of a store, in their order. */
export const findFaults = query((db, p: { storeId: bigint; now: bigint }) =>
  db
    .selectFrom('faults')
    .innerJoin('stores', 'stores.id', 'faults.store_id')
    .where('stores.faults_until', '>', p.now)
    .select(['position', 'operation', 'fault', 'parameters', 'times', 'probability', 'seed', 'fired'])
    .where('store_id', '=', p.storeId)
    .orderBy('position'),
);

const setFaultsUntil = query((db, p: { storeId: bigint; until: bigint | null }) =>
  db.updateTable('stores').set({ faults_until: p.until }).where('id', '=', p.storeId),
);

const deleteFaults = query((db, p: { storeId: bigint }) =>
  db.deleteFrom('faults').where('store_id', '=', p.storeId),
);

type FaultRow = Omit<ArmedFault, 'probability'> & { storeId: bigint; position: bigint; probability: string };

const insertFault = query((db, p: FaultRow) =>
  db.insertInto('faults').values({
    store_id: p.storeId,
    position: p.position,
    operation: p.operation,
    fault: p.fault,
    parameters: p.parameters,
    times: p.times,
    probability: p.probability,
    seed: p.seed,
    drawn: 0n,
    fired: 0n,
  }),
);

const countDrawn = query((db, p: { storeId: bigint; position: bigint }) =>
  db
    .updateTable('faults')
    .set({ drawn: sql<bigint>`drawn + 1` })
    .where('store_id', '=', p.storeId)
    .where('position', '=', p.position)
    .where((eb) => eb.or([eb('times', 'is', null), eb('fired', '<', eb.ref('times'))]))
    .returning(['seed', 'drawn', 'probability']),
);

const countFired = query((db, p: { storeId: bigint; position: bigint }) =>
  db
    .updateTable('faults')
    .set({ fired: sql<bigint>`fired + 1` })
    .where('store_id', '=', p.storeId)
    .where('position', '=', p.position)
    .returning(['operation', 'fault', 'parameters']),
);
