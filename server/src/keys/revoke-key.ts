import type { Transaction } from '../changes/transaction.ts';
import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';

const markRevoked = query((db, p: { keyId: string; at: bigint }) =>
  db
    .updateTable('keys')
    .set({ revoked_at: p.at })
    .where('id', '=', p.keyId)
    .where('revoked_at', 'is', null)
    .returning('id'),
);

/** From the next request on, the key opens nothing. A key already revoked is not found. */
export async function revokeKey(
  tx: Transaction,
  { keyId, at }: { keyId: string; at: bigint },
): Promise<void> {
  const [revoked] = await tx.all(markRevoked, { keyId, at });
  if (!revoked) throw new Refusal('not_found');
}
