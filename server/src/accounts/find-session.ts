import { query } from '../database/query.ts';

/** The session that has a token, by the token's hash, with its account. */
export const findSession = query((db, p: { token: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select([
      'sessions.id',
      'sessions.expires_at as expiresAt',
      'accounts.id as accountId',
      'accounts.email',
      'accounts.created_at as accountCreatedAt',
    ])
    .where('sessions.token', '=', p.token),
);
