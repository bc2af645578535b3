import { type RawBuilder, sql } from 'kysely';
import type { Job } from '../concurrency/background-jobs.ts';
import { yieldToEventLoop } from '../concurrency/yield-to-event-loop.ts';
import { type Connection, query } from '../database/query.ts';
import { updateRows } from '../database/rows.ts';
import { ignoreDomainErrors } from '../domain/domain-error.ts';
import { verb } from '../writer/verb.ts';
import type { Writer } from '../writer/writer.ts';

const RETENTION_MS = 30n * 24n * 3_600_000n;
export const MAX_EVENTS = 1_000_000n;
/** Small, so that other changes do not wait long. */
const BATCH = 500n;
const STORES_PER_BATCH = 1_000n;

/** Deletes a batch of a store's events: expired ones, and those beyond the limit. Returns whether there were any. */
const deleteOldEvents = verb(
  'deleteOldEvents',
  async (tx, { storeId, before, maxEvents }: { storeId: bigint; before: bigint; maxEvents: bigint }) => {
    const { revision } = await tx.lockStore(storeId);
    const [found] = await tx.all(newestToDelete, { storeId, before, cutoff: revision - maxEvents });
    const upTo = found?.upTo ?? null;
    if (upTo === null) return false;
    await tx.all(deleteEvents, { storeId, upTo });
    await updateRows(tx, 'stores', { id: storeId }, { events_forgotten: upTo });
    return true;
  },
);

/**
 * Whether a store has more events than its limit: whether an event has the revision `cutoff`, the store's revision minus the
 * limit. A restore skips more revisions than the limit: while `cutoff` is one of these, fewer events than the limit are newer.
 */
const exceedsEventLimit = (storeId: RawBuilder<unknown>, cutoff: RawBuilder<unknown>) =>
  sql`EXISTS (SELECT 1 FROM changes WHERE store_id = ${storeId} AND revision = ${cutoff})`;

// An event may be dated in the future, by a request's `Prefer: now`: it must not prevent the deletion of others.
const newestToDelete = query(
  (_, p: { storeId: bigint; before: bigint; cutoff: bigint }) => sql<{ upTo: bigint | null }>`
    SELECT max(revision) AS ${sql.ref('upTo')} FROM (
      SELECT revision, at FROM changes WHERE store_id = ${p.storeId}
      ORDER BY revision LIMIT ${sql.lit(BATCH)}
    ) AS oldest
    WHERE at < ${p.before} OR (revision <= ${p.cutoff} AND ${exceedsEventLimit(sql`${p.storeId}`, sql`${p.cutoff}`)})`,
);

const deleteEvents = query((db, p: { storeId: bigint; upTo: bigint }) =>
  db.deleteFrom('changes').where('store_id', '=', p.storeId).where('revision', '<=', p.upTo),
);

export function eventRetention(
  db: Connection,
  writer: Writer,
  now: () => number,
  maxEvents = MAX_EVENTS,
): Job {
  return {
    name: 'forgetting events',
    intervalMs: 600_000,
    async run(signal, step) {
      const before = BigInt(now()) - RETENTION_MS;
      const deleteAll = async (storeId: bigint) => {
        for (let hasMore = true; !signal.aborted && hasMore; )
          hasMore = await writer.apply(deleteOldEvents, { storeId, before, maxEvents });
      };
      const storesAfter = (after: bigint) => db.all(storePage, { after, before, maxEvents });
      let stores = await storesAfter(-1n);
      for (let last = stores.at(-1); last && !signal.aborted; last = stores.at(-1)) {
        const due = stores.filter(({ isDue }) => isDue > 0n);
        for (const { storeId } of due) await step(() => deleteAll(storeId).catch(ignoreDomainErrors));
        await yieldToEventLoop();
        stores = await storesAfter(last.storeId);
      }
    },
  };
}

/** `isDue` is 1 if the oldest event must be deleted, or if it is dated in the future: then, newer ones may have expired. */
const storePage = query(
  (_, p: { after: bigint; before: bigint; maxEvents: bigint }) => sql<{ storeId: bigint; isDue: bigint }>`
    SELECT id AS ${sql.ref('storeId')}, (
      SELECT count(*) FROM (
        SELECT at, revision FROM changes WHERE store_id = stores.id ORDER BY revision LIMIT 1
      ) AS oldest
      WHERE at NOT BETWEEN ${p.before} AND ${p.before} + ${sql.lit(RETENTION_MS)} OR (
        oldest.revision <= stores.revision - ${p.maxEvents}
          AND ${exceedsEventLimit(sql`stores.id`, sql`stores.revision - ${p.maxEvents}`)}
      )
    ) AS ${sql.ref('isDue')}
    FROM stores WHERE id > ${p.after} AND closed_at IS NULL ORDER BY id LIMIT ${sql.lit(STORES_PER_BATCH)}`,
);
