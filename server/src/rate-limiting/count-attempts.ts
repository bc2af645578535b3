import { sql } from 'kysely';
import { query } from '../database/query.ts';
import { deleteRows, findRows, updateRows } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import { type Transaction, verb } from '../writer/verb.ts';

/**
 * Tries are counted in buckets, by one of two rules. With a window, `most` tries are allowed until it ends. Without
 * one, each try beyond `most` waits longer than the one before, until none was made for a day.
 */
export interface Allowance {
  readonly bucket: string;
  readonly most: bigint;
  readonly window?: bigint | undefined;
}

type Bucket = Schema['attempts'];

const FIRST_WAIT_MS = 30_000;
const MAX_WAIT_MS = 15 * 60_000;
const FORGOTTEN_MS = 24n * 3_600_000n;

/** Counts one try in every bucket, if all of them allow it; else says until when there is none, and counts nothing. */
export const countAttempt = verb(
  'countAttempt',
  async (tx, { allowances, at }: { allowances: readonly Allowance[]; at: bigint }) => {
    await passGate(tx);
    const counted: Bucket[] = [];
    let until = at;
    for (const { bucket, most, window } of allowances) {
      const anew = { bucket, count: 0n, ends_at: at + (window ?? FORGOTTEN_MS) };
      const [found] = await findRows(tx, 'attempts', { bucket }, ['bucket', 'count', 'ends_at']);
      // One that ends later than if it began now was written by a clock that was ahead.
      const tries = found && found.ends_at > at && found.ends_at <= anew.ends_at ? found : anew;
      const next = nextTry(tries, most, window);
      if (next > until) until = next;
      counted.push({ ...(window === undefined ? anew : tries), count: tries.count + 1n });
    }
    if (until > at) return { until };
    for (const bucket of counted) await tx.all(writeBucket, bucket);
    return { until: null };
  },
);

function nextTry({ count, ends_at }: Bucket, most: bigint, window: bigint | undefined): bigint {
  if (count < most) return 0n;
  if (window !== undefined) return ends_at;
  const wait = Math.min(FIRST_WAIT_MS * 2 ** Number(count - most), MAX_WAIT_MS);
  return ends_at - FORGOTTEN_MS + BigInt(wait);
}

/** After a right try, some buckets start anew, and others count it as if it had not been made. */
export interface RightTry {
  readonly forget: readonly string[];
  readonly undo: readonly string[];
}

export async function settleAttempts(tx: Transaction, { forget, undo }: RightTry): Promise<void> {
  await passGate(tx);
  for (const bucket of forget) await deleteRows(tx, 'attempts', { bucket });
  for (const bucket of undo) {
    const [tries] = await findRows(tx, 'attempts', { bucket }, ['count']);
    if (tries && tries.count > 0n) await updateRows(tx, 'attempts', { bucket }, { count: tries.count - 1n });
  }
}

/** Adds to each bucket what one replica has counted in it, and gives the sums over all of them. */
export const countRequests = verb('countRequests', async (tx, { counts }: { counts: readonly Bucket[] }) => {
  await passGate(tx);
  const sums: bigint[] = [];
  for (const counted of counts) {
    const [sum] = await tx.all(addToBucket, counted);
    sums.push(sum?.count ?? counted.count);
  }
  return sums;
});

/** All counting passes through one row, so that no two replicas count at the same time. */
async function passGate(tx: Transaction): Promise<void> {
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
