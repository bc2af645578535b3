import { sql } from 'kysely';
import { type Connection, query } from '../database/query.ts';
import { deletingSome, insertRow } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import type { DeploymentName } from '../deployment.ts';
import { generateKey, hashKey, randomBase62 } from '../key-format.ts';
import { NO_QUOTA } from '../quotas.ts';
import { Refusal } from '../refusal.ts';
import { type Origin, saveEvent } from '../stores/account-events.ts';
import type { KeyScope } from '../vocabulary.ts';
import { type Transaction, verb } from '../writer/verb.ts';

/** All that is stored of a key, by its columns. The key itself goes to its owner and nowhere else. */
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

type CreateKey = { storeId: bigint; key: KeyDetails; at: bigint; most?: bigint; by?: Origin };

export const createKey = verb(
  'createKey',
  async (tx, { storeId, key, at, most = NO_QUOTA, by }: CreateKey) => {
    await tx.lockStore(storeId);
    await refuseKeyBeyond(tx, { storeId, at, most });
    const made = await saveKey(tx, storeId, key, at);
    if (by) await saveEvent(tx, { ...by, what: 'key_created', key: made });
    return { keyId: made.id };
  },
);

const PAST_KEYS_KEPT = 1_000;

type Room = { storeId: bigint; at: bigint; most: bigint };

/** Refuses one more working key than a store may have, and forgets the oldest of those that work no longer. */
export async function refuseKeyBeyond(tx: Transaction, { storeId, at, most }: Room): Promise<void> {
  const [{ count } = { count: 0n }] = await tx.all(countWorking, { storeId, at });
  if (count >= most) throw new Refusal('key_limit_reached');
  await tx.all(forgetPast, { storeId, at });
}

/** The order in which keys are listed. */
export const NEWEST_FIRST = 'created_at DESC, id DESC';

export const works = (at: bigint) =>
  sql<boolean>`(keys.revoked_at IS NULL AND (keys.expires_at IS NULL OR keys.expires_at > ${at}))`;

export const stateColumns = ['store_id', 'last_four', 'expires_at', 'revoked_at'] as const;

export function isWorking(key: Pick<Schema['keys'], 'expires_at' | 'revoked_at'>, at: bigint): boolean {
  return key.revoked_at === null && (key.expires_at === null || key.expires_at > at);
}

const countWorking = query((db, p: { storeId: bigint; at: bigint }) =>
  db
    .selectFrom('keys')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('store_id', '=', p.storeId)
    .where('session_id', 'is', null)
    .where(works(p.at)),
);

const forgetPast = query((_, p: { storeId: bigint; at: bigint }) => {
  const past = sql`store_id = ${p.storeId} AND session_id IS NULL AND NOT ${works(p.at)}`;
  return deletingSome('keys', past, { key: 'hash', order: NEWEST_FIRST, skip: PAST_KEYS_KEPT });
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
