import { query } from '../database/query.ts';
import type { Transaction } from '../transaction/transaction.ts';

const WINDOW_MS = 60_000n;

/** Adds one to each bucket; a bucket starts anew when its minute is over. */
export async function countAttempts(
  tx: Transaction,
  { buckets, at }: { buckets: readonly string[]; at: bigint },
): Promise<Array<{ count: bigint; endsAt: bigint }>> {
  // All counting passes through one row: of two replicas that count the same buckets, one waits at the start.
  await tx.all(count, { bucket: GATE, endsAt: NEVER });
  await tx.all(forgetEnded, { at });
  const counts: Array<{ count: bigint; endsAt: bigint }> = [];
  for (const bucket of buckets) counts.push(...(await tx.all(count, { bucket, endsAt: at + WINDOW_MS })));
  return counts;
}

const GATE = '';
const NEVER = 2n ** 62n;

const count = query((db, p: { bucket: string; endsAt: bigint }) =>
  db
    .insertInto('attempts')
    .values({ bucket: p.bucket, count: 1n, ends_at: p.endsAt })
    .onConflict((conflict) =>
      conflict.column('bucket').doUpdateSet((eb) => ({ count: eb('attempts.count', '+', 1n) })),
    )
    .returning(['count', 'ends_at as endsAt']),
);

const forgetEnded = query((db, p: { at: bigint }) => db.deleteFrom('attempts').where('ends_at', '<=', p.at));
