import { pick, query } from '../database/query.ts';
import { deleteRows, findRows, insertRow, updateRows } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import { verb } from '../writer/verb.ts';
import { DRAW_RANGE, draw } from './data-sets.ts';

const ruleColumns = ['operation', 'fault', 'parameters', 'times', 'probability', 'seed'] as const;
export type ArmedFault = Readonly<Pick<Schema['faults'], (typeof ruleColumns)[number]>>;

const MAX_ARMED_MS = 86_400_000n;

type ArmFaults = { storeId: bigint; faults: readonly ArmedFault[]; at: bigint };

export const armFaults = verb('armFaults', async (tx, { storeId, faults, at }: ArmFaults) => {
  await tx.lockStore(storeId);
  const until = faults.length === 0 ? null : at + MAX_ARMED_MS;
  await updateRows(tx, 'stores', { id: storeId }, { faults_until: until });
  await deleteRows(tx, 'faults', { store_id: storeId });
  for (const [index, fault] of faults.entries()) {
    const counts = { drawn: 0n, fired: 0n };
    await insertRow(tx, 'faults', { ...fault, store_id: storeId, position: BigInt(index), ...counts });
  }
});

export function isUsedUp({ times, fired }: Pick<Schema['faults'], 'times' | 'fired'>): boolean {
  return times !== null && fired >= times;
}

type DrawFault = { storeId: bigint; rules: ReadonlyArray<ArmedFault & { readonly position: bigint }> };

/** Returns the first rule that fires. The store lock makes counts exact across replicas. Skips rules that were replaced since they were read. */
export const drawFault = verb('drawFault', async (tx, { storeId, rules }: DrawFault) => {
  await tx.lockStore(storeId);
  for (const rule of rules) {
    const where = { store_id: storeId, ...pick(rule, ['position', ...ruleColumns]) };
    const [counts] = await findRows(tx, 'faults', where, ['drawn', 'fired']);
    if (!counts || isUsedUp({ ...rule, ...counts })) continue;
    const drawn = counts.drawn + 1n;
    const fires = draw(rule.seed, `request ${drawn}`) < Number(rule.probability) * DRAW_RANGE;
    await updateRows(tx, 'faults', where, { drawn, fired: counts.fired + (fires ? 1n : 0n) });
    if (fires) return rule;
  }
  return undefined;
});

export const findFaults = query((db, p: { storeId: bigint; now: bigint }) =>
  db
    .selectFrom('faults')
    .innerJoin('stores', 'stores.id', 'faults.store_id')
    .where('stores.faults_until', '>', p.now)
    .select(['position', ...ruleColumns, 'fired'])
    .where('store_id', '=', p.storeId)
    .orderBy('position'),
);
