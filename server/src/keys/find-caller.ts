import { sql } from 'kysely';
import { type Connection, query } from '../database/query.ts';
import { findRows } from '../database/rows.ts';
import { hashKey, type IsKey } from '../domain/key-format.ts';
import type { RejectedKey } from '../http/server/request.ts';
import { isOpenAt, tenantId } from '../stores/find-store.ts';
import { isActiveAt } from './manage-keys.ts';

/** The limits and faults of a store do not apply to the console, whose keys belong to a session. */
const nullForConsole = (column: string) =>
  sql<bigint | null>`CASE WHEN keys.session_id IS NULL THEN ${sql.ref(column)} END`;

const callerBy = (column: 'keys.hash' | 'keys.id') =>
  query((db, p: { value: string; now: bigint }) =>
    db
      .selectFrom('keys')
      .innerJoin('stores', 'stores.id', 'keys.store_id')
      .select(['keys.id as keyId', 'keys.store_id as storeId', 'keys.scope'])
      .select(['keys.session_id as sessionId', 'keys.last_used_at as lastUsedAt'])
      .select(['stores.revision', 'stores.ends_at as endsAt'])
      .select(['stores.rate_seconds as rateSeconds', 'stores.created_at as createdAt'])
      .select(nullForConsole('stores.rate_requests').as('rateRequests'))
      .select([tenantId.as('tenantId'), nullForConsole('stores.faults_until').as('faultsUntil')])
      .where(column, '=', p.value)
      .where(isActiveAt(p.now))
      .where(isOpenAt(p.now)),
  );
const callerByHash = callerBy('keys.hash');
export const callerById = callerBy('keys.id');

/** One point read. Not cached, so that the next request with a revoked key is rejected. */
export async function findCaller(db: Connection, isKey: IsKey, key: string, now: bigint) {
  return isKey(key) ? (await db.all(callerByHash, { value: hashKey(key), now }))[0] : undefined;
}

/** Finds the owner of a revoked or expired key, to show the request in the owner's inspector. */
export async function findRejectedKey(db: Connection, key: string): Promise<RejectedKey | null> {
  const [found] = await findRows(db, 'keys', { hash: hashKey(key) }, ['id', 'store_id']);
  return found ? { keyId: found.id, storeId: found.store_id } : null;
}
