import type { Transaction } from '../changes/transaction.ts';
import { query } from '../database/query.ts';
import type { DeploymentName } from '../deployment.ts';
import { generateKey, hashKey, randomBase62 } from './key-format.ts';

/** What is kept of a key: everything but the key itself. */
export interface KeyDetails {
  readonly name: string;
  readonly hash: string;
  readonly lastFour: string;
  readonly expiresAt: bigint | null;
}

/** A new key and what may be kept of it. The key itself goes to its owner and nowhere else. */
export function newKey(
  deployment: DeploymentName,
  name: string,
  expiresAt: bigint | null = null,
): { key: string; details: KeyDetails } {
  const key = generateKey(deployment);
  return { key, details: { name, hash: hashKey(key), lastFour: key.slice(-4), expiresAt } };
}

/** Adds a key to a store. */
export async function createKey(
  tx: Transaction,
  { storeId, key, at }: { storeId: bigint; key: KeyDetails; at: bigint },
): Promise<{ keyId: string }> {
  return { keyId: await saveKey(tx, tx.store(storeId).id, key, at) };
}

export async function saveKey(
  tx: Transaction,
  storeId: bigint,
  key: KeyDetails,
  at: bigint,
): Promise<string> {
  const id = `key_${randomBase62(16)}`;
  await tx.all(insertKey, { id, storeId, at, ...key });
  return id;
}

const insertKey = query((db, p: KeyDetails & { id: string; storeId: bigint; at: bigint }) =>
  db.insertInto('keys').values({
    hash: p.hash,
    id: p.id,
    store_id: p.storeId,
    name: p.name,
    last_four: p.lastFour,
    created_at: p.at,
    expires_at: p.expiresAt,
    revoked_at: null,
  }),
);
