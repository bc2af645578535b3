import { query } from '../database/query.ts';

/** All keys of the deployment, oldest first; the short-lived ones of console sessions are nobody's to manage. */
export const listKeys = query((db, _: Record<never, never>) =>
  db
    .selectFrom('keys')
    .select(['id', 'store_id', 'name', 'last_four', 'scope', 'created_at', 'expires_at', 'revoked_at'])
    .where('session_id', 'is', null)
    .orderBy('created_at')
    .orderBy('id'),
);

/** The keys of one store, newest first. */
export const listStoreKeys = query((db, p: { storeId: bigint }) =>
  db
    .selectFrom('keys')
    .select([
      'id',
      'name',
      'last_four as lastFour',
      'scope',
      'created_at as createdAt',
      'expires_at as expiresAt',
      'last_used_at as lastUsedAt',
      'revoked_at as revokedAt',
    ])
    .where('store_id', '=', p.storeId)
    .where('session_id', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
);
