import { sql } from 'kysely';
import type { Connection } from '../database/engine.ts';
import { query, raw } from '../database/query.ts';

/** More than these are not looked at, so that to ask costs little. */
const MOST_COUNTED = 10_000n;

/** How many deliveries wait to be tried, or tried again, and when the oldest of them was made. */
export async function countWaiting(db: Connection): Promise<{ count: number; oldest: number | undefined }> {
  const [row] = await db.all(waiting, { limit: MOST_COUNTED });
  const oldest = row?.oldest ?? null;
  return { count: Number(row?.count ?? 0n), oldest: oldest === null ? undefined : Number(oldest) };
}

const waiting = query((db, p: { limit: bigint }) =>
  raw<{ count: bigint; oldest: bigint | null }>(
    db,
    sql`
      SELECT count(*) AS count, min(created_at) AS oldest
      FROM (SELECT created_at FROM deliveries WHERE next_at IS NOT NULL LIMIT ${p.limit}) AS waiting`,
  ),
);
