import type { Kysely } from 'kysely';
import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import type { Schema } from '../database/schema.ts';
import type { Caller, FindCaller, RefusedKey } from '../http/server/caller.ts';
import { hashKey, type IsKey } from '../key-format.ts';
import { tenantId } from '../stores/tenant.ts';

const workingKeys = (db: Kysely<Schema>, now: bigint) =>
  db
    .selectFrom('keys')
    .innerJoin('stores', 'stores.id', 'keys.store_id')
    .select([
      'keys.id as keyId',
      'keys.store_id as storeId',
      'keys.scope',
      'keys.session_id as sessionId',
      'keys.last_used_at as lastUsedAt',
      'stores.revision',
      'stores.ends_at as endsAt',
      tenantId.as('tenantId'),
    ])
    .select((eb) =>
      eb
        .case()
        .when('keys.session_id', 'is', null)
        .then(eb.ref('stores.faults_until'))
        .end()
        .as('faultsUntil'),
    )
    .where('keys.revoked_at', 'is', null)
    .where((eb) => eb.or([eb('keys.expires_at', 'is', null), eb('keys.expires_at', '>', now)]))
    .where((eb) => eb.or([eb('stores.ends_at', 'is', null), eb('stores.ends_at', '>', now)]));

const callerByHash = query((db, p: { hash: string; now: bigint }) =>
  workingKeys(db, p.now).where('keys.hash', '=', p.hash),
);

/** Looks again for a caller that was known: nobody, if the key does not work any more. */
export const callerById = query((db, p: { keyId: string; now: bigint }) =>
  workingKeys(db, p.now).where('keys.id', '=', p.keyId),
);

const keyByHash = query((db, p: { hash: string }) =>
  db.selectFrom('keys').select(['id as keyId', 'store_id as storeId']).where('hash', '=', p.hash),
);

/** Whose key it is, though it may be revoked or expired: for its owner to be told, and nobody else. */
export async function findRefusedKey(
  db: Connection,
  isKey: IsKey,
  key: string,
): Promise<RefusedKey | undefined> {
  if (!isKey(key)) return undefined;
  return (await db.all(keyByHash, { hash: hashKey(key) }))[0];
}

/** Looks callers up. Requests with the same key that arrive in one turn of the event loop share a look, taken after it. */
export function callerFinder(db: Connection, isKey: IsKey, now: () => number): FindCaller {
  let looks = new Map<string, Promise<Caller | undefined>>();
  let endOfTurn: Promise<void> | undefined;
  const nextTurn = () =>
    new Promise<void>((resolve) => {
      setImmediate(() => {
        looks = new Map();
        endOfTurn = undefined;
        resolve();
      });
    });
  return async (key) => {
    if (!isKey(key)) return undefined;
    endOfTurn ??= nextTurn();
    const look = looks.get(key) ?? endOfTurn.then(() => find(db, key, BigInt(now())));
    looks.set(key, look);
    return look;
  };
}

/**
 * One point read says all about the caller. Nothing is remembered between requests, so a revoked key
 * is refused by the very next one.
 */
export async function findCaller(
  db: Connection,
  isKey: IsKey,
  key: string,
  now: bigint,
): Promise<Caller | undefined> {
  return isKey(key) ? find(db, key, now) : undefined;
}

async function find(db: Connection, key: string, now: bigint): Promise<Caller | undefined> {
  const [caller] = await db.all(callerByHash, { hash: hashKey(key), now });
  return caller;
}
