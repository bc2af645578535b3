import { query } from '../database/query.ts';

/** All keys of the deployment, oldest first. */
export const listKeys = query((db, _: Record<never, never>) =>
  db
    .selectFrom('keys')
    .select(['id', 'store_id', 'name', 'last_four', 'created_at', 'expires_at', 'revoked_at'])
    .orderBy('created_at')
    .orderBy('id'),
);
