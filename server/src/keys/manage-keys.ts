import { sql } from 'kysely';
import { type Actor, type PagePosition, saveEvent, saveOwnerEvent } from '../audit-log/audit-log.ts';
import { type Connection, query } from '../database/query.ts';
import { deleteBatch, deleteRows, insertRow, lockRows, updateRows } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import type { DeploymentName } from '../domain/deployment.ts';
import { DomainError } from '../domain/domain-error.ts';
import { generateKey, hashKey, randomBase62 } from '../domain/key-format.ts';
import { NO_QUOTA } from '../domain/quotas.ts';
import type { KeyScope } from '../domain/vocabulary.ts';
import { type Transaction, verb } from '../writer/verb.ts';

/** The stored columns of a key. The key itself is not stored. */
export type KeyDetails = ReturnType<typeof newKey>['details'];

export function newKey(
  deployment: DeploymentName,
  name: string,
  expires_at: bigint | null = null,
  scope: KeyScope = 'full',
  key = generateKey(deployment),
) {
  return { key, details: { name, hash: hashKey(key), last_four: key.slice(-4), expires_at, scope } };
}

type CreateKey = { storeId: bigint; key: KeyDetails; at: bigint; maxKeys?: bigint; actor?: Actor };

export const createKey = verb(
  'createKey',
  async (tx, { storeId, key, at, maxKeys = NO_QUOTA, actor }: CreateKey) => {
    await tx.lockStore(storeId);
    await enforceKeyLimit(tx, { storeId, at, maxKeys });
    const created = await saveKey(tx, storeId, key, at);
    if (actor) await saveEvent(tx, { ...actor, what: 'key_created', key: created });
    return { keyId: created.id };
  },
);

const MAX_INACTIVE_KEYS = 1_000;

type KeyLimit = { storeId: bigint; at: bigint; maxKeys: bigint };

/** Throws if the store has its maximum of active keys; deletes the oldest inactive ones. */
async function enforceKeyLimit(tx: Transaction, { storeId, at, maxKeys }: KeyLimit): Promise<void> {
  const [{ count } = { count: 0n }] = await tx.all(countActive, { storeId, at });
  if (count >= maxKeys) throw new DomainError('key_limit_reached');
  await tx.all(deleteInactive, { storeId, at });
}

export const isActiveAt = (at: bigint) =>
  sql<boolean>`(keys.revoked_at IS NULL AND (keys.expires_at IS NULL OR keys.expires_at > ${at}))`;

export const stateColumns = ['store_id', 'last_four', 'expires_at', 'revoked_at'] as const;

export function isActive(key: Pick<Schema['keys'], 'expires_at' | 'revoked_at'>, at: bigint): boolean {
  return key.revoked_at === null && (key.expires_at === null || key.expires_at > at);
}

const countActive = query((db, p: { storeId: bigint; at: bigint }) =>
  db
    .selectFrom('keys')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('store_id', '=', p.storeId)
    .where('session_id', 'is', null)
    .where(isActiveAt(p.at)),
);

const deleteInactive = query((_, p: { storeId: bigint; at: bigint }) => {
  const inactive = sql`store_id = ${p.storeId} AND session_id IS NULL AND NOT ${isActiveAt(p.at)}`;
  return deleteBatch('keys', inactive, { order: 'created_at, id', retained: MAX_INACTIVE_KEYS });
});

export async function saveKey(
  connection: Connection,
  storeId: bigint,
  key: KeyDetails,
  at: bigint,
  { id = `key_${randomBase62(16)}`, sessionId = null }: { id?: string; sessionId?: string | null } = {},
): Promise<{ id: string; lastFour: string }> {
  const row = { ...key, id, store_id: storeId, session_id: sessionId, created_at: at };
  await insertRow(connection, 'keys', row);
  return { id, lastFour: key.last_four };
}

export const revokeKey = verb(
  'revokeKey',
  async (tx, { keyId, at }: { keyId: string; at: bigint }): Promise<void> => {
    const notRevoked = { id: keyId, revoked_at: null };
    const [revoked] = await updateRows(tx, 'keys', notRevoked, { revoked_at: at }, stateColumns);
    if (!revoked) throw new DomainError('not_found');
    await deleteRows(tx, 'sessions', { key_id: keyId });
    const key = { id: keyId, lastFour: revoked.last_four };
    await saveOwnerEvent(tx, revoked.store_id, { address: 'command line', what: 'key_revoked', at, key });
  },
);

type OwnKey = Actor & { storeId: bigint; keyId: string };

/** Revokes a key for its owner. Returns null if it was already revoked. */
export const revokeStoreKey = verb('revokeStoreKey', async (tx, { storeId, keyId, ...actor }: OwnKey) => {
  await tx.lockStore(storeId);
  const own = { id: keyId, store_id: storeId, session_id: null };
  const [key] = await lockRows(tx, 'keys', own, stateColumns);
  if (!key) throw new DomainError('not_found');
  if (key.revoked_at !== null) return null;
  await updateRows(tx, 'keys', own, { revoked_at: actor.at });
  await deleteRows(tx, 'sessions', { key_id: keyId });
  return saveEvent(tx, { ...actor, what: 'key_revoked', key: { id: keyId, lastFour: key.last_four } });
});

interface RollKey extends OwnKey {
  readonly overlapMs: bigint;
  readonly successor: Pick<KeyDetails, 'hash' | 'last_four'>;
  readonly maxKeys: bigint;
}

/** Replaces an active key with a new one with the same name, scope and expiry: rolling does not extend access. */
export const rollKey = verb('rollKey', async (tx, change: RollKey) => {
  const { storeId, keyId, overlapMs, successor, maxKeys, ...actor } = change;
  const { at } = actor;
  const isImmediate = overlapMs === 0n;
  await tx.lockStore(storeId);
  const own = { id: keyId, store_id: storeId, session_id: null };
  const [old] = await lockRows(tx, 'keys', own, ['name', 'scope', ...stateColumns]);
  if (!old) throw new DomainError('not_found');
  if (!isActive(old, at)) throw new DomainError('key_revoked');
  const { name, scope, expires_at } = old;
  // Without overlap, the number of active keys does not change.
  if (isImmediate) await deleteRows(tx, 'sessions', { key_id: keyId });
  else await enforceKeyLimit(tx, { storeId, at, maxKeys });
  const created = await saveKey(tx, storeId, { ...successor, name, scope, expires_at }, at);
  const overlapEnd = expires_at !== null && expires_at < at + overlapMs ? expires_at : at + overlapMs;
  const end = isImmediate ? { revoked_at: at } : { expires_at: overlapEnd };
  await updateRows(tx, 'keys', own, { ...end, replaced_by: created.id });
  await saveEvent(tx, { ...actor, what: 'key_rolled', key: created });
  return { keyId: created.id, name, scope, expiresAt: expires_at };
});

/** All keys of the deployment, oldest first, except those of console sessions. */
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

type KeyPage = PagePosition & { storeId: bigint; state: 'working' | 'past' | ''; at: bigint };

export const listStoreKeys = query((db, p: KeyPage) =>
  db
    .selectFrom('keys')
    .select(['id', 'name', 'scope', 'last_four as lastFour', 'replaced_by as replacedBy'])
    .select(['created_at as createdAt', 'expires_at as expiresAt'])
    .select(['last_used_at as lastUsedAt', 'revoked_at as revokedAt'])
    .where('store_id', '=', p.storeId)
    .where('session_id', 'is', null)
    .where(sql<boolean>`(created_at, id) < (${p.afterAt}, ${p.afterId})`)
    .where(sql<boolean>`${p.state} IN ('', CASE WHEN ${isActiveAt(p.at)} THEN 'working' ELSE 'past' END)`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
);
