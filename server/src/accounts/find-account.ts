import { query } from '../database/query.ts';

/** The account that has an address, with the hash of its password. */
export const findAccount = query((db, p: { email: string }) =>
  db
    .selectFrom('accounts')
    .innerJoin('credentials', 'credentials.account_id', 'accounts.id')
    .select(['accounts.id as accountId', 'credentials.password as passwordHash'])
    .where('accounts.email', '=', p.email),
);
