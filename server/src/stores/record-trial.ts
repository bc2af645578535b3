import { query } from '../database/query.ts';
import { verb } from '../writer/verb.ts';

const NAME = 'trial';

/** Writes down when it was last tried whether the database can be changed: a change of its own, which nobody reads. */
export const recordTrial = verb('recordTrial', async (tx, { at }: { readonly at: bigint }): Promise<void> => {
  await tx.all(write, { at: String(at) });
});

const write = query((db, p: { at: string }) =>
  db
    .insertInto('secrets')
    .values({ name: NAME, value: p.at })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: p.at })),
);
