import { sql } from 'kysely';
import type { Job } from '../concurrency/background-jobs.ts';
import { type Connection, query } from '../database/query.ts';
import { deleteBatch } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import { verb } from '../writer/verb.ts';
import type { Writer } from '../writer/writer.ts';

const DAY_MS = 86_400_000n;
export const ACCOUNT_EVENT_RETENTION_MS = 90n * DAY_MS;
const BATCH = 500;

const kinds = [
  expiring('attempts', 'ends_at, bucket'),
  expiring('sessions', 'expires_at, id'),
  expiring('keys', 'expires_at, hash', { only: sql`session_id IS NOT NULL` }),
  expiring('audit', 'at, account_id, id', { retentionMs: ACCOUNT_EVENT_RETENTION_MS }),
  expiring('idempotency', 'expires_at, store_id, key'),
  // The upper bits of the id are the time.
  expiring('requests', 'id, store_id', { unit: 2n ** 20n, retentionMs: DAY_MS }),
];

/** Rows that expire `retentionMs` after the time in the first column of `order`; `unit` is one millisecond in that column. */
function expiring(
  table: keyof Schema,
  order: string,
  { unit = 1n, retentionMs = 0n, only = sql`TRUE` } = {},
) {
  const [time = ''] = order.split(',');
  const expired = (at: bigint) =>
    sql`${only} AND ${sql.ref(time)} <= (CAST(${at} AS bigint) - ${sql.lit(retentionMs)}) * ${sql.lit(unit)}`;
  return {
    table,
    anyExpired: query(
      (_, p: { at: bigint }) => sql`SELECT 1 FROM ${sql.table(table)} WHERE ${expired(p.at)} LIMIT 1`,
    ),
    deleteExpired: query((_, p: { at: bigint }) =>
      deleteBatch(table, expired(p.at), { order, limit: BATCH }),
    ),
  };
}

/** One change per table: rows that cannot be deleted do not affect other tables. */
export const prune = verb('prune', async (tx, { table, at }: { table: string; at: bigint }) => {
  const kind = kinds.find((candidate) => candidate.table === table);
  return kind ? (await tx.all(kind.deleteExpired, { at })).length : 0;
});

/** Background job: deletes expired rows in batches, found by an index. */
export function pruneExpired(
  db: Connection,
  writer: Writer,
  now: () => number,
): Job & { readonly responsesPruned: number } {
  let responsesPruned = 0;
  const pruneKind = async (signal: AbortSignal, { table, anyExpired }: (typeof kinds)[number]) => {
    const at = BigInt(now());
    if ((await db.all(anyExpired, { at })).length === 0) return;
    for (let pruned = BATCH; !signal.aborted && pruned >= BATCH; ) {
      pruned = await writer.apply(prune, { table, at });
      if (table === 'idempotency') responsesPruned += pruned;
    }
  };
  return {
    name: 'pruning',
    get responsesPruned() {
      return responsesPruned;
    },
    intervalMs: 60_000,
    async run(signal, step) {
      for (const kind of kinds) await step(() => pruneKind(signal, kind));
    },
  };
}
