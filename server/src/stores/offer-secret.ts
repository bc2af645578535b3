import { query } from '../database/query.ts';
import { verb } from '../writer/verb.ts';

const insertSecret = query((db, p: { name: string; value: string }) =>
  db
    .insertInto('secrets')
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) => conflict.column('name').doNothing()),
);

/** Keeps the first value offered under a name; a later one changes nothing. */
export const offerSecret = verb(
  'offerSecret',
  async (tx, secret: { name: string; value: string }): Promise<void> => {
    await tx.all(insertSecret, { name: secret.name, value: secret.value });
  },
);
