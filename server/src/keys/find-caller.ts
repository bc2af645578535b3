import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import type { DeploymentName } from '../deployment.ts';
import { hashKey, isWellFormedKey } from './key-format.ts';

/** Everything a request needs to know about who is asking. */
export interface Caller {
  readonly keyId: string;
  readonly storeId: bigint;
  /** The store's revision when the key was checked: the request's answer is at least that new. */
  readonly revision: bigint;
}

const callerByHash = query((db, p: { hash: string; now: bigint }) =>
  db
    .selectFrom('keys')
    .innerJoin('stores', 'stores.id', 'keys.store_id')
    .select(['keys.id as keyId', 'keys.store_id as storeId', 'stores.revision'])
    .where('keys.hash', '=', p.hash)
    .where('keys.revoked_at', 'is', null)
    .where((eb) => eb.or([eb('keys.expires_at', 'is', null), eb('keys.expires_at', '>', p.now)])),
);

/**
 * One point read says all about the caller. Nothing is remembered between requests, so a revoked key
 * is refused by the very next one.
 */
export async function findCaller(
  db: Connection,
  deployment: DeploymentName,
  key: string,
  now: bigint,
): Promise<Caller | undefined> {
  if (!isWellFormedKey(deployment, key)) return undefined;
  const [caller] = await db.all(callerByHash, { hash: hashKey(key), now });
  return caller;
}
