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
/** Few, so that no other change waits long behind it. */
const FORGOTTEN_AT_ONCE = 500n;
const STORES_AT_ONCE = 1_000n;

/** Forgets some of a store's events: those before a moment, and all but the newest; says whether there were any. */
const forgetEvents = verb(
  'forgetEvents',
  async (tx, { storeId, before, most }: { storeId: bigint; before: bigint; most: bigint }) => {
    const { revision } = await tx.lockStore(storeId);
    const [found] = await tx.all(newestToForget, { storeId, before, beyond: revision - most });
    const upTo = found?.upTo ?? null;
    if (upTo === null) return false;
    await tx.all(removeEvents, { storeId, upTo });
    await updateRows(tx, 'stores', { id: storeId }, { events_forgotten: upTo });
    return true;
  },
);

/**
 * Events at and below `beyond` are too many if all revisions above it are those of events. A restore skips more revisions
 * than events are kept: while `beyond` lies among those, there is no event at it, and too few are above it.
 */
const areTooMany = (storeId: RawBuilder<unknown>, beyond: RawBuilder<unknown>) =>
  sql`EXISTS (SELECT 1 FROM changes WHERE store_id = ${storeId} AND revision = ${beyond})`;

// An event may be dated ahead, because a request preferred so: it keeps no others from being forgotten.
const newestToForget = query(
  (_, p: { storeId: bigint; before: bigint; beyond: bigint }) => sql<{ upTo: bigint | null }>`
    SELECT max(revision) AS ${sql.ref('upTo')} FROM (
      SELECT revision, at FROM changes WHERE store_id = ${p.storeId}
      ORDER BY revision LIMIT ${sql.lit(FORGOTTEN_AT_ONCE)}
    ) AS oldest
    WHERE at < ${p.before} OR (revision <= ${p.beyond} AND ${areTooMany(sql`${p.storeId}`, sql`${p.beyond}`)})`,
);

const removeEvents = query((db, p: { storeId: bigint; upTo: bigint }) =>
  db.deleteFrom('changes').where('store_id', '=', p.storeId).where('revision', '<=', p.upTo),
);

export function forgettingEvents(db: Connection, writer: Writer, now: () => number, most = MAX_EVENTS): Job {
  return {
    name: 'forgetting events',
    restMs: 600_000,
    async run(signal, step) {
      const before = BigInt(now()) - RETENTION_MS;
      const forgetAll = async (storeId: bigint) => {
        for (let areThereMore = true; !signal.aborted && areThereMore; )
          areThereMore = await writer.apply(forgetEvents, { storeId, before, most });
      };
      const storesAfter = (after: bigint) => db.all(someStores, { after, before, most });
      let stores = await storesAfter(-1n);
      for (let last = stores.at(-1); last && !signal.aborted; last = stores.at(-1)) {
        const due = stores.filter(({ mayForget }) => mayForget > 0n);
        for (const { storeId } of due) await step(() => forgetAll(storeId).catch(ignoreDomainErrors));
        await yieldToEventLoop();
        stores = await storesAfter(last.storeId);
      }
    },
  };
}

/** `mayForget` is 1 if the oldest event is to be forgotten, or is dated ahead, so that later ones may be. */
const someStores = query(
  (_, p: { after: bigint; before: bigint; most: bigint }) => sql<{ storeId: bigint; mayForget: bigint }>`
    SELECT id AS ${sql.ref('storeId')}, (
      SELECT count(*) FROM (
        SELECT at, revision FROM changes WHERE store_id = stores.id ORDER BY revision LIMIT 1
      ) AS oldest
      WHERE at NOT BETWEEN ${p.before} AND ${p.before} + ${sql.lit(RETENTION_MS)} OR (
        oldest.revision <= stores.revision - ${p.most} AND ${areTooMany(sql`stores.id`, sql`stores.revision - ${p.most}`)}
      )
    ) AS ${sql.ref('mayForget')}
    FROM stores WHERE id > ${p.after} AND closed_at IS NULL ORDER BY id LIMIT ${sql.lit(STORES_AT_ONCE)}`,
);
