import { query } from '../database/query.ts';
import { verb } from '../writer/verb.ts';

/** Writes down when it was last tried whether the database can be changed: a change of its own, which nobody reads. */
export const recordTrial = verb('recordTrial', async (tx, { at }: { readonly at: bigint }): Promise<void> => {
  await tx.all(write, { at });
});

const write = query((db, p: { at: bigint }) =>
  db
    .insertInto('probes')
    .values({ id: 1n, at: p.at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ at: p.at })),
);
