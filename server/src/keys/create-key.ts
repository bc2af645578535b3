import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import type { DeploymentName } from '../deployment.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { generateKey, hashKey, randomBase62 } from './key-format.ts';
import type { KeyScope } from './scopes.ts';

/** What is kept of a key: everything but the key itself. */
export interface KeyDetails {
  readonly name: string;
  readonly hash: string;
  readonly lastFour: string;
  readonly expiresAt: bigint | null;
  readonly scope: KeyScope;
}

/** A new key and what may be kept of it. The key itself goes to its owner and nowhere else. */
export function newKey(
  deployment: DeploymentName,
  name: string,
  expiresAt: bigint | null = null,
  scope: KeyScope = 'full',
): { key: string; details: KeyDetails } {
  const key = generateKey(deployment);
  return { key, details: { name, hash: hashKey(key), lastFour: key.slice(-4), expiresAt, scope } };
}

/** Adds a key to a store. */
export async function createKey(
  tx: Transaction,
  { storeId, key, at }: { storeId: bigint; key: KeyDetails; at: bigint },
): Promise<{ keyId: string }> {
  return { keyId: await saveKey(tx, tx.store(storeId).id, key, at) };
}

export async function saveKey(
  connection: Connection,
  storeId: bigint,
  key: KeyDetails,
  at: bigint,
  sessionId: string | null = null,
): Promise<string> {
  const id = newKeyId();
  await connection.all(insertKey, { id, storeId, at, sessionId, ...key });
  return id;
}

export function newKeyId(): string {
  return `key_${randomBase62(16)}`;
}

interface KeyRow extends KeyDetails {
  readonly id: string;
  readonly storeId: bigint;
  readonly at: bigint;
}

const insertKey = query((db, p: KeyRow & { sessionId: string | null }) =>
  db.insertInto('keys').values({
    hash: p.hash,
    id: p.id,
    store_id: p.storeId,
    name: p.name,
    last_four: p.lastFour,
    scope: p.scope,
    created_at: p.at,
    expires_at: p.expiresAt,
    revoked_at: null,
    session_id: p.sessionId,
  }),
);
