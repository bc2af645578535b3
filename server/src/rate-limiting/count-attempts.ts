import { sql } from 'kysely';
import { query } from '../database/query.ts';
import { deleteRows, findRows, updateRows } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import { type Transaction, verb } from '../writer/verb.ts';

/**
 * Attempts are counted in buckets. With a window, `max` attempts are allowed until it ends. Without one, attempts beyond `max`
 * need exponentially longer waits, until a day passes without an attempt.
 */
export interface Allowance {
  readonly bucket: string;
  readonly max: bigint;
  readonly window?: bigint | undefined;
}

type Bucket = Schema['attempts'];

const FIRST_WAIT_MS = 30_000;
const MAX_WAIT_MS = 15 * 60_000;
const IDLE_RESET_MS = 24n * 3_600_000n;

/** Counts an attempt in every bucket if all allow it; otherwise counts nothing, and returns when the next is allowed. */
export const countAttempt = verb(
  'countAttempt',
  async (tx, { allowances, at }: { allowances: readonly Allowance[]; at: bigint }) => {
    await lockCounters(tx);
    const counted: Bucket[] = [];
    let until = at;
    for (const { bucket, max, window } of allowances) {
      const empty = { bucket, count: 0n, ends_at: at + (window ?? IDLE_RESET_MS) };
      const [found] = await findRows(tx, 'attempts', { bucket }, ['bucket', 'count', 'ends_at']);
      // A bucket that ends later than a new one was written by a clock that was ahead.
      const current = found && found.ends_at > at && found.ends_at <= empty.ends_at ? found : empty;
      const next = nextAttempt(current, max, window);
      if (next > until) until = next;
      counted.push({ ...(window === undefined ? empty : current), count: current.count + 1n });
    }
    if (until > at) return { until };
    for (const bucket of counted) await tx.all(writeBucket, bucket);
    return { until: null };
  },
);

function nextAttempt({ count, ends_at }: Bucket, max: bigint, window: bigint | undefined): bigint {
  if (count < max) return 0n;
  if (window !== undefined) return ends_at;
  const wait = Math.min(FIRST_WAIT_MS * 2 ** Number(count - max), MAX_WAIT_MS);
  return ends_at - IDLE_RESET_MS + BigInt(wait);
}

/** What a successful attempt changes: some buckets are reset, others do not count it. */
export interface AttemptRefund {
  readonly reset: readonly string[];
  readonly undo: readonly string[];
}

export async function refundAttempts(tx: Transaction, { reset, undo }: AttemptRefund): Promise<void> {
  await lockCounters(tx);
  for (const bucket of reset) await deleteRows(tx, 'attempts', { bucket });
  for (const bucket of undo) {
    const [found] = await findRows(tx, 'attempts', { bucket }, ['count']);
    if (found && found.count > 0n) await updateRows(tx, 'attempts', { bucket }, { count: found.count - 1n });
  }
}

/** Adds one replica's counts to the buckets. Returns their totals over all replicas. */
export const countRequests = verb('countRequests', async (tx, { counts }: { counts: readonly Bucket[] }) => {
  await lockCounters(tx);
  const sums: bigint[] = [];
  for (const counted of counts) {
    const [sum] = await tx.all(addToBucket, counted);
    sums.push(sum?.count ?? counted.count);
  }
  return sums;
});

/** Serializes counting of all replicas by locking one row, which never expires. */
async function lockCounters(tx: Transaction): Promise<void> {
  await tx.all(addToBucket, { bucket: '', count: 1n, ends_at: 2n ** 62n });
}

const writeBucket = query(
  (_, p: Bucket) => sql`
    INSERT INTO attempts (bucket, count, ends_at) VALUES (${p.bucket}, ${p.count}, ${p.ends_at})
    ON CONFLICT (bucket) DO UPDATE SET count = excluded.count, ends_at = excluded.ends_at`,
);

const addToBucket = query(
  (_, p: Bucket) => sql<{ count: bigint }>`
    INSERT INTO attempts (bucket, count, ends_at) VALUES (${p.bucket}, ${p.count}, ${p.ends_at})
    ON CONFLICT (bucket) DO UPDATE SET count = attempts.count + excluded.count RETURNING count`,
);
