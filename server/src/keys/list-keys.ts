import { sql } from 'kysely';
import { query } from '../database/query.ts';
import type { RowsAfter } from '../stores/account-events.ts';
import { works } from './create-key.ts';

/** All keys of the deployment, oldest first; the short-lived ones of console sessions are nobody's to manage. */
export const listKeys = query((db, _: Record<never, never>) =>
  db
    .selectFrom('keys')
    .innerJoin('stores', 'stores.id', 'keys.store_id')
    .leftJoin('accounts', 'accounts.id', 'stores.owner')
    .select(['keys.id', 'keys.store_id', 'keys.name', 'last_four', 'scope'])
    .select(['keys.created_at', 'expires_at', 'revoked_at', 'stores.owner', 'accounts.email'])
    .where('session_id', 'is', null)
    .orderBy('keys.created_at')
    .orderBy('keys.id'),
);

type KeyPage = RowsAfter & { storeId: bigint; state: 'working' | 'past' | ''; at: bigint };

export const listStoreKeys = query((db, p: KeyPage) =>
  db
    .selectFrom('keys')
    .select(['id', 'name', 'scope', 'last_four as lastFour', 'replaced_by as replacedBy'])
    .select(['created_at as createdAt', 'expires_at as expiresAt'])
    .select(['last_used_at as lastUsedAt', 'revoked_at as revokedAt'])
    .where('store_id', '=', p.storeId)
    .where('session_id', 'is', null)
    .where(sql<boolean>`(created_at, id) < (${p.afterAt}, ${p.afterId})`)
    .where(sql<boolean>`${p.state} IN ('', CASE WHEN ${works(p.at)} THEN 'working' ELSE 'past' END)`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
);
