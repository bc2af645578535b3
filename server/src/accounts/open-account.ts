import { query } from '../database/query.ts';
import type { Transaction } from '../transaction/transaction.ts';

export interface OpenAccount {
  readonly id: string;
  readonly credentialId: string;
  readonly email: string;
  readonly passwordHash: string;
  /** The moment as Better Auth writes it. */
  readonly time: string;
  readonly at: bigint;
}

/**
 * Opens an account, or leaves the one that has the address as it is. Either way the same rows are written to
 * disk, so that not even the time it takes tells which of the two happened.
 */
export async function openAccount(tx: Transaction, account: OpenAccount): Promise<void> {
  const { id, credentialId, email, passwordHash, time } = account;
  const [opened] = await tx.all(insertAccount, { id, email, time });
  if (opened) await tx.all(insertCredential, { id, credentialId, passwordHash, time });
  else await Promise.all([tx.all(touchAccount, { email }), tx.all(touchCredential, { email })]);
}

const insertAccount = query((db, p: { id: string; email: string; time: string }) =>
  db
    .insertInto('accounts')
    .values({
      id: p.id,
      name: p.email,
      email: p.email,
      email_verified: 0n,
      image: null,
      created_at: p.time,
      updated_at: p.time,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id'),
);

const insertCredential = query(
  (db, p: { id: string; credentialId: string; passwordHash: string; time: string }) =>
    db.insertInto('credentials').values({
      id: p.credentialId,
      account_id: p.id,
      provider_id: 'credential',
      provider_account_id: p.id,
      password: p.passwordHash,
      created_at: p.time,
      updated_at: p.time,
    }),
);

const touchAccount = query((db, p: { email: string }) =>
  db
    .updateTable('accounts')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('email', '=', p.email),
);

const touchCredential = query((db, p: { email: string }) =>
  db
    .updateTable('credentials')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('account_id', 'in', (eb) => eb.selectFrom('accounts').select('id').where('email', '=', p.email)),
);
