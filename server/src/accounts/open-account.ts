import { query } from '../database/query.ts';
import { saveEvent } from '../stores/account-events.ts';
import { verb } from '../writer/verb.ts';

export interface OpenAccount {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly at: bigint;
  readonly address: string;
}

/**
 * Opens an account, or leaves the one that has the address as it is. Either way a row of each table is written to
 * disk in as many round trips, so that not even the time it takes tells which of the two happened.
 */
export const openAccount = verb(
  'openAccount',
  async (
    tx,
    { id, email, passwordHash, at, address }: OpenAccount,
  ): Promise<{ accountId: string; isNew: boolean }> => {
    const [opened] = await tx.all(insertAccount, { id, email, at });
    let accountId = id;
    if (opened) await tx.all(insertCredential, { id, passwordHash });
    else {
      const [[known]] = await Promise.all([
        tx.all(rewriteAccount, { email }),
        tx.all(rewriteCredential, { email }),
      ]);
      accountId = known?.id ?? id;
    }
    const what = opened ? 'signed_up' : 'sign_up_repeated';
    await saveEvent(tx, { accountId, address, what, at });
    return { accountId, isNew: opened !== undefined };
  },
);

const insertAccount = query((db, p: { id: string; email: string; at: bigint }) =>
  db
    .insertInto('accounts')
    .values({ id: p.id, email: p.email, created_at: p.at })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id'),
);

const insertCredential = query((db, p: { id: string; passwordHash: string }) =>
  db.insertInto('credentials').values({ account_id: p.id, password: p.passwordHash }),
);

const rewriteAccount = query((db, p: { email: string }) =>
  db
    .updateTable('accounts')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('email', '=', p.email)
    .returning('id'),
);

const rewriteCredential = query((db, p: { email: string }) =>
  db
    .updateTable('credentials')
    .set((eb) => ({ password: eb.ref('password') }))
    .where('account_id', 'in', (eb) => eb.selectFrom('accounts').select('id').where('email', '=', p.email)),
);
