import { query } from '../database/query.ts';
import { works } from '../keys/create-key.ts';
import { tenantId } from '../stores/tenant.ts';

const ofSession = [
  'sessions.id',
  'sessions.created_at as createdAt',
  'sessions.expires_at as expiresAt',
  'sessions.seen_at as seenAt',
] as const;

export const findSession = query((db, p: { token: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .leftJoin('stores', 'stores.owner', 'accounts.id')
    .select([
      ...ofSession,
      'accounts.id as accountId',
      'accounts.email',
      'accounts.created_at as accountCreatedAt',
      'stores.id as storeId',
      tenantId.as('tenantId'),
    ])
    .where('sessions.token', '=', p.token),
);

export const findKeySession = query((db, p: { token: string; at: bigint }) =>
  db
    .selectFrom('sessions')
    .innerJoin('keys', 'keys.id', 'sessions.key_id')
    .innerJoin('stores', 'stores.id', 'keys.store_id')
    .select([
      ...ofSession,
      'keys.id as keyId',
      'keys.name as keyName',
      'keys.last_four as lastFour',
      'keys.scope',
      'keys.expires_at as keyExpiresAt',
      'keys.store_id as storeId',
      tenantId.as('tenantId'),
    ])
    .where('sessions.token', '=', p.token)
    .where((eb) => works(eb, p.at)),
);

export const listSessions = query((db, p: { accountId: string; at: bigint }) =>
  db
    .selectFrom('sessions')
    .select([...ofSession, 'address', 'agent'])
    .where('account_id', '=', p.accountId)
    .where('expires_at', '>', p.at)
    .orderBy('seen_at', 'desc')
    .orderBy('id'),
);
