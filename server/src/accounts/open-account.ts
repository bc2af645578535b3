import { query } from '../database/query.ts';
import { saveEvent } from '../stores/account-events.ts';
import { verb } from '../writer/verb.ts';

interface OpenAccount {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly at: bigint;
  readonly address: string;
}

/**
 * Opens an account, or leaves the one that has the address as it is. Both do the same work, so that not even the time
 * it takes tells which of the two happened.
 */
export const openAccount = verb(
  'openAccount',
  async (tx, { id, email, passwordHash, at, address }: OpenAccount) => {
    const [{ accountId } = { accountId: id }] = await tx.all(ensureAccount, { id, email, at });
    await tx.all(ensureCredential, { accountId, passwordHash });
    const what = accountId === id ? 'signed_up' : 'sign_up_repeated';
    return saveEvent(tx, { accountId, address, what, at });
  },
);

const ensureAccount = query((db, p: { id: string; email: string; at: bigint }) =>
  db
    .insertInto('accounts')
    .values({ id: p.id, email: p.email, created_at: p.at })
    .onConflict((conflict) =>
      conflict.column('email').doUpdateSet((eb) => ({ created_at: eb.ref('accounts.created_at') })),
    )
    .returning('id as accountId'),
);

const ensureCredential = query((db, p: { accountId: string; passwordHash: string }) =>
  db
    .insertInto('credentials')
    .values({ account_id: p.accountId, password: p.passwordHash })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((eb) => ({ password: eb.ref('credentials.password') })),
    ),
);
