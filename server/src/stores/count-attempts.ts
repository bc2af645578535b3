import { query } from '../database/query.ts';
import type { Transaction } from '../writer/transaction.ts';
import { verb } from '../writer/verb.ts';

/**
 * Tries are counted in buckets, by one of two rules. With a window, `most` tries are allowed until it ends. Without
 * one, each try beyond `most` waits longer than the one before, until none was made for a day.
 */
export interface Allowance {
  readonly bucket: string;
  readonly most: bigint;
  readonly window?: bigint;
}

const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 15 * 60_000;
const FORGOTTEN_MS = 24n * 3_600_000n;

interface Tries {
  readonly count: bigint;
  readonly endsAt: bigint;
}

/** Counts one try in every bucket, if all of them allow it; else says until when there is none, and counts nothing. */
export const countAttempt = verb(
  'countAttempt',
  async (tx, { allowances, at }: { allowances: readonly Allowance[]; at: bigint }) => {
    await passGate(tx);
    const counted: Bucket[] = [];
    let until = at;
    for (const allowance of allowances) {
      const { bucket, window } = allowance;
      const tries = await triesIn(tx, allowance, at);
      const next = nextTry(allowance, tries);
      if (next > until) until = next;
      const endsAt = window === undefined ? at + FORGOTTEN_MS : tries.endsAt;
      counted.push({ bucket, count: tries.count + 1n, endsAt });
    }
    if (until > at) return { until };
    for (const bucket of counted) await tx.all(writeBucket, bucket);
    return { until: null };
  },
);

/** None once the bucket has ended, or if it ends later than one that begins now: its clock was ahead. */
async function triesIn(tx: Transaction, { bucket, window }: Allowance, at: bigint): Promise<Tries> {
  const endsAt = at + (window ?? FORGOTTEN_MS);
  const [found] = await tx.all(readBucket, { bucket });
  return found && found.endsAt > at && found.endsAt <= endsAt ? found : { count: 0n, endsAt };
}

function nextTry({ most, window }: Allowance, { count, endsAt }: Tries): bigint {
  if (count < most) return 0n;
  if (window !== undefined) return endsAt;
  const wait = Math.min(FIRST_WAIT_MS * 2 ** Number(count - most), LONGEST_WAIT_MS);
  return endsAt - FORGOTTEN_MS + BigInt(wait);
}

/** After a right try, some buckets start anew, and others count it as if it had not been made. */
export interface RightTry {
  readonly forget: readonly string[];
  readonly undo: readonly string[];
}

export async function settleAttempts(tx: Transaction, { forget, undo }: RightTry): Promise<void> {
  await passGate(tx);
  for (const bucket of forget) await tx.all(deleteBucket, { bucket });
  for (const bucket of undo) {
    const [tries] = await tx.all(readBucket, { bucket });
    if (tries && tries.count > 0n) await tx.all(writeBucket, { bucket, ...tries, count: tries.count - 1n });
  }
}

interface CountRequests {
  readonly counts: ReadonlyArray<{ bucket: string; count: bigint }>;
  readonly endsAt: bigint;
}

/** Adds to each bucket what one replica has counted in it, and gives the sums over all of them. */
export const countRequests = verb('countRequests', async (tx, { counts, endsAt }: CountRequests) => {
  await passGate(tx);
  const sums: bigint[] = [];
  for (const { bucket, count } of counts) {
    const [sum] = await tx.all(addToBucket, { bucket, count, endsAt });
    sums.push(sum?.count ?? count);
  }
  return sums;
});

/** All counting passes through one row, so that no two replicas count at the same time. */
async function passGate(tx: Transaction): Promise<void> {
  await tx.all(addToBucket, { bucket: '', count: 1n, endsAt: 2n ** 62n });
}

type Bucket = Tries & { bucket: string };

const readBucket = query((db, p: { bucket: string }) =>
  db.selectFrom('attempts').select(['count', 'ends_at as endsAt']).where('bucket', '=', p.bucket),
);

const writeBucket = query((db, p: Bucket) => {
  const tries = { count: p.count, ends_at: p.endsAt };
  return db
    .insertInto('attempts')
    .values({ bucket: p.bucket, ...tries })
    .onConflict((conflict) => conflict.column('bucket').doUpdateSet(tries));
});

const addToBucket = query((db, p: Bucket) =>
  db
    .insertInto('attempts')
    .values({ bucket: p.bucket, count: p.count, ends_at: p.endsAt })
    .onConflict((conflict) =>
      conflict.column('bucket').doUpdateSet((eb) => ({ count: eb('attempts.count', '+', p.count) })),
    )
    .returning('count'),
);

const deleteBucket = query((db, p: { bucket: string }) =>
  db.deleteFrom('attempts').where('bucket', '=', p.bucket),
);
