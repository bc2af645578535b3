import { type Kysely, sql } from 'kysely';
import { query } from '../database/query.ts';
import { deleteRows, insertRow, updateRows } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import { verb } from '../writer/verb.ts';
import { DRAWN_BELOW, draw } from './data-sets.ts';

const ruleColumns = ['operation', 'fault', 'parameters', 'times', 'probability', 'seed'] as const;
export type ArmedFault = Readonly<Pick<Schema['faults'], (typeof ruleColumns)[number]>>;
export type DrawnFault = Pick<ArmedFault, 'operation' | 'fault' | 'parameters'>;

const LONGEST_ARMED_MS = 86_400_000n;

export const armFaults = verb(
  'armFaults',
  async (tx, { storeId, faults, at }: { storeId: bigint; faults: readonly ArmedFault[]; at: bigint }) => {
    await tx.lockStore(storeId);
    const until = faults.length === 0 ? null : at + LONGEST_ARMED_MS;
    await updateRows(tx, 'stores', { id: storeId }, { faults_until: until });
    await deleteRows(tx, 'faults', { store_id: storeId });
    for (const [index, fault] of faults.entries()) {
      const unused = { store_id: storeId, position: BigInt(index), drawn: 0n, fired: 0n };
      await insertRow(tx, 'faults', { ...fault, ...unused });
    }
  },
);

/** As the store is locked, all replicas count exactly. The first of these faults that fires wins. */
export const drawFault = verb(
  'drawFault',
  async (tx, { storeId, positions }: { storeId: bigint; positions: readonly bigint[] }) => {
    await tx.lockStore(storeId);
    for (const position of positions) {
      const [rule] = await tx.all(countDrawn, { storeId, position });
      const limit = Number(rule?.probability) * DRAWN_BELOW;
      if (!rule || draw(rule.seed, `request ${rule.drawn}`) >= limit) continue;
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
    .select(['position', ...ruleColumns, 'fired'])
    .where('store_id', '=', p.storeId)
    .orderBy('position'),
);

const updateFault = (db: Kysely<Schema>, p: { storeId: bigint; position: bigint }) =>
  db.updateTable('faults').where('store_id', '=', p.storeId).where('position', '=', p.position);

const countDrawn = query((db, p: { storeId: bigint; position: bigint }) =>
  updateFault(db, p)
    .set({ drawn: sql<bigint>`drawn + 1` })
    .where((eb) => eb.or([eb('times', 'is', null), eb('fired', '<', eb.ref('times'))]))
    .returning([...ruleColumns, 'drawn']),
);

const countFired = query((db, p: { storeId: bigint; position: bigint }) =>
  updateFault(db, p).set({ fired: sql<bigint>`fired + 1` }),
);
