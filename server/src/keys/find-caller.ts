import type { Kysely } from 'kysely';
import type { Connection, Database } from '../database/engine.ts';
import { query } from '../database/query.ts';
import type { Schema } from '../database/schema.ts';
import type { DeploymentName } from '../deployment.ts';
import { tenantId } from '../stores/tenant.ts';
import { hashKey, isWellFormedKey } from './key-format.ts';
import type { KeyScope } from './scopes.ts';

/** Everything a request needs to know about who is asking. */
export interface Caller {
  readonly keyId: string;
  readonly storeId: bigint;
  /** By whom its limits are counted. */
  readonly tenantId: bigint;
  readonly scope: KeyScope;
  /** The console session that the key was made for; null for any other key. */
  readonly sessionId?: string | null;
  /** The store's revision when the key was checked: the request's answer is at least that new. */
  readonly revision: bigint;
  /** Until when faults are armed for its requests; null where none are. The console's own requests never fail. */
  readonly faultsUntil: bigint | null;
}

const workingKeys = (db: Kysely<Schema>, now: bigint) =>
  db
    .selectFrom('keys')
    .innerJoin('stores', 'stores.id', 'keys.store_id')
    .select([
      'keys.id as keyId',
      'keys.store_id as storeId',
      'keys.scope',
      'keys.session_id as sessionId',
      'stores.revision',
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
    .where((eb) => eb.or([eb('keys.expires_at', 'is', null), eb('keys.expires_at', '>', now)]));

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

/** A key that does not work, or not any more, and the store that it is of. */
export type RefusedKey = Pick<Caller, 'keyId' | 'storeId'>;

/** Whose key it is, though it may be revoked or expired: for its owner to be told, and nobody else. */
export async function findRefusedKey(
  db: Connection,
  deployment: DeploymentName,
  key: string,
): Promise<RefusedKey | undefined> {
  if (!isWellFormedKey(deployment, key)) return undefined;
  return (await db.all(keyByHash, { hash: hashKey(key) }))[0];
}

/** Tells who the caller is: nobody, if the key is not a working one. */
export type FindCaller = (key: string) => Promise<Caller | undefined>;

/** Turns of the event loop in which requests gather for one look, where that costs as much as answering ten of them. */
const MOST_TURNS = 3;

/**
 * Looks callers up. Requests that arrive one turn of the event loop after the other with the same key share one look, taken
 * after all of them have arrived: it is as new as if each had looked itself.
 */
export function callerFinder(db: Database, deployment: DeploymentName, now: () => number): FindCaller {
  const nobody = Promise.resolve(undefined);
  const mostTurns = db.isRemote ? MOST_TURNS : 1;
  let looks = new Map<string, Promise<Caller | undefined>>();
  let gathered: Promise<void> | undefined;
  let came = 0;
  const gather = () =>
    new Promise<void>((resolve) => {
      let before = 1;
      let turns = 0;
      const endTurn = () => {
        turns++;
        if (came > before && turns < mostTurns) {
          before = came;
          setImmediate(endTurn);
          return;
        }
        looks = new Map();
        gathered = undefined;
        came = 0;
        // Whatever these requests read next is as new as they are.
        db.readTogether?.();
        resolve();
      };
      setImmediate(endTurn);
    });
  return (key) => {
    let look = looks.get(key);
    if (!look) {
      if (!isWellFormedKey(deployment, key)) return nobody;
      gathered ??= gather();
      look = gathered.then(() => find(db, key, BigInt(now())));
      looks.set(key, look);
    }
    came++;
    return look;
  };
}

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
  return isWellFormedKey(deployment, key) ? find(db, key, now) : undefined;
}

async function find(db: Connection, key: string, now: bigint): Promise<Caller | undefined> {
  const [caller] = await db.all(callerByHash, { hash: hashKey(key), now });
  return caller;
}
