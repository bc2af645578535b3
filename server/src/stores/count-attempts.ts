import { type RawBuilder, sql } from 'kysely';
import { query } from '../database/query.ts';
import type { Transaction } from '../writer/transaction.ts';
import { verb } from '../writer/verb.ts';

/** Allows `most` tries in a window; without a window, every further try waits, longer from try to try. */
export interface Allowance {
  readonly bucket: string;
  readonly most: bigint;
  readonly window?: bigint;
}

const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** Tries that have to wait are forgotten this long after the last one. */
const FORGOTTEN_MS = 24n * 3_600_000n;

/** Counts one try in every bucket, if all of them allow it; else says until when there is none, and counts nothing. */
export const countAttempt = verb(
  'countAttempt',
  async (
    tx,
    { allowances, at }: { allowances: readonly Allowance[]; at: bigint },
  ): Promise<{ until: bigint | null }> => {
    await passGate(tx);
    let until = at;
    for (const allowance of allowances) {
      const [tried] = await tx.all(readBucket, {
        bucket: allowance.bucket,
        at,
        latest: at + (allowance.window ?? FORGOTTEN_MS),
      });
      const next = tried ? nextTry(allowance, tried) : at;
      if (next > until) until = next;
    }
    if (until > at) return { until };
    for (const { bucket, window } of allowances) {
      const statement = window === undefined ? countAndProlong : count;
      await tx.all(statement, { bucket, more: 1n, at, endsAt: at + (window ?? FORGOTTEN_MS) });
    }
    return { until: null };
  },
);

function nextTry({ most, window }: Allowance, tried: { count: bigint; endsAt: bigint }): bigint {
  if (tried.count < most) return 0n;
  if (window !== undefined) return tried.endsAt;
  const wait = Math.min(FIRST_WAIT_MS * 2 ** Number(tried.count - most), LONGEST_WAIT_MS);
  return tried.endsAt - FORGOTTEN_MS + BigInt(wait);
}

/** After a right try, some buckets start anew, and others count it as if it had not been made. */
export interface RightTry {
  readonly forget: readonly string[];
  readonly undo: readonly string[];
}

export async function settleAttempts(tx: Transaction, { forget, undo }: RightTry): Promise<void> {
  for (const bucket of forget) await tx.all(deleteBucket, { bucket });
  for (const bucket of undo) await tx.all(undoOne, { bucket });
}

/** Adds to each bucket what one replica has counted in it, and gives the sums over all of them. */
export const countRequests = verb(
  'countRequests',
  async (
    tx,
    {
      counts,
      endsAt,
      at,
    }: { counts: ReadonlyArray<{ bucket: string; count: bigint }>; endsAt: bigint; at: bigint },
  ): Promise<bigint[]> => {
    await passGate(tx);
    const sums: bigint[] = [];
    for (const { bucket, count: more } of counts) {
      const [sum] = await tx.all(count, { bucket, more, at, endsAt });
      sums.push(sum?.count ?? more);
    }
    return sums;
  },
);

/** All counting passes through one row: of two replicas that count the same buckets, one waits at the start. */
async function passGate(tx: Transaction): Promise<void> {
  await tx.all(count, { bucket: GATE, more: 1n, at: 0n, endsAt: NEVER });
}

const GATE = '';
const NEVER = 2n ** 62n;

const readBucket = query((db, p: { bucket: string; at: bigint; latest: bigint }) =>
  db
    .selectFrom('attempts')
    .select(['count', 'ends_at as endsAt'])
    .where('bucket', '=', p.bucket)
    .where('ends_at', '>', p.at)
    .where('ends_at', '<=', p.latest),
);

interface Counted {
  bucket: string;
  more: bigint;
  at: bigint;
  endsAt: bigint;
}

/**
 * A window that has ended and was not pruned yet counts as none: another one begins. So does one that ends later than any
 * that begins now: it was begun by a clock that was ahead.
 */
const unlessEnded = ({ at, endsAt }: Counted, going: RawBuilder<bigint>, begun: bigint) =>
  sql<bigint>`CASE WHEN attempts.ends_at > ${at} AND attempts.ends_at <= ${endsAt} THEN ${going} ELSE ${begun} END`;

const counting = (endsAt: (p: Counted) => RawBuilder<bigint> | bigint) =>
  query((db, p: Counted) =>
    db
      .insertInto('attempts')
      .values({ bucket: p.bucket, count: p.more, ends_at: p.endsAt })
      .onConflict((conflict) =>
        conflict.column('bucket').doUpdateSet({
          count: unlessEnded(p, sql`attempts.count + ${p.more}`, p.more),
          ends_at: endsAt(p),
        }),
      )
      .returning('count'),
  );

const count = counting((p) => unlessEnded(p, sql`attempts.ends_at`, p.endsAt));
const countAndProlong = counting((p) => p.endsAt);

const deleteBucket = query((db, p: { bucket: string }) =>
  db.deleteFrom('attempts').where('bucket', '=', p.bucket),
);

const undoOne = query((db, p: { bucket: string }) =>
  db
    .updateTable('attempts')
    .set((eb) => ({ count: eb('count', '-', 1n) }))
    .where('bucket', '=', p.bucket)
    .where('count', '>', 0n),
);
