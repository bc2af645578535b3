import { sql } from 'kysely';
import type { Connection } from '../database/engine.ts';
import { query, raw } from '../database/query.ts';
import { unlessRefused } from '../refusal.ts';
import type { Job } from '../writer/background.ts';
import { verb } from '../writer/verb.ts';
import type { Writer } from '../writer/writer.ts';

const KEPT_MS = 30n * 24n * 3_600_000n;
const MOST_KEPT = 1_000_000n;
/** Few, so that no other change waits long behind it. */
const FORGOTTEN_AT_ONCE = 500n;
const STORES_AT_ONCE = 100n;

/** Forgets some of a store's events: those before a moment, and all but the newest; says whether there were any. */
export const forgetEvents = verb(
  'forgetEvents',
  async (
    tx,
    { storeId, before, most }: { storeId: bigint; before: bigint; most: bigint },
  ): Promise<boolean> => {
    const { revision } = await tx.lockStore(storeId);
    const [found] = await tx.all(newestToForget, { storeId, before, upTo: revision - most });
    const upTo = found?.upTo ?? null;
    if (upTo === null) return false;
    await tx.all(removeEvents, { storeId, upTo });
    await tx.all(noteForgotten, { storeId, upTo });
    return true;
  },
);

// An event may be dated ahead, because a request preferred so: it keeps no others from being forgotten.
const newestToForget = query((db, p: { storeId: bigint; before: bigint; upTo: bigint }) =>
  raw<{ upTo: bigint | null }>(
    db,
    sql`
      SELECT max(revision) AS ${sql.ref('upTo')} FROM (
        SELECT revision, at FROM changes WHERE store_id = ${p.storeId}
        ORDER BY revision LIMIT ${sql.lit(FORGOTTEN_AT_ONCE)}
      ) AS oldest WHERE at < ${p.before} OR revision <= ${p.upTo}`,
  ),
);

const removeEvents = query((db, p: { storeId: bigint; upTo: bigint }) =>
  db.deleteFrom('changes').where('store_id', '=', p.storeId).where('revision', '<=', p.upTo),
);

const noteForgotten = query((db, p: { storeId: bigint; upTo: bigint }) =>
  db.updateTable('stores').set({ events_forgotten: p.upTo }).where('id', '=', p.storeId),
);

export function forgettingEvents(db: Connection, writer: Writer, now: () => number, most = MOST_KEPT): Job {
  return {
    name: 'forgetting events',
    restMs: 60_000,
    async run(signal, piece) {
      const before = BigInt(now()) - KEPT_MS;
      const forgetAll = async (storeId: bigint) => {
        while (!signal.aborted && (await writer.apply(forgetEvents, { storeId, before, most })));
      };
      for await (const { storeId, revision, oldest, at } of oldestEvents(db)) {
        if (signal.aborted) return;
        const isOld = at !== null && at < before;
        const isOneTooMany = oldest !== null && oldest <= revision - most;
        if (isOld || isOneTooMany) await piece(() => forgetAll(storeId).catch(unlessRefused));
      }
    },
  };
}

/** Every store and its oldest event, if it has any: read by the page, as there may be many stores. */
async function* oldestEvents(db: Connection) {
  let stores = await db.all(oldestEventsAfter, { after: -(2n ** 63n) });
  for (let last = stores.at(-1); last; last = stores.at(-1)) {
    yield* stores;
    stores = await db.all(oldestEventsAfter, { after: last.storeId });
  }
}

const oldestEventsAfter = query((db, p: { after: bigint }) =>
  db
    .selectFrom('stores')
    .select((eb) => {
      const oldest = eb
        .selectFrom('changes')
        .whereRef('changes.store_id', '=', 'stores.id')
        .orderBy('changes.revision')
        .limit(1);
      return [
        'stores.id as storeId',
        'stores.revision',
        oldest.select('changes.revision').as('oldest'),
        oldest.select('changes.at').as('at'),
      ];
    })
    .where('stores.id', '>', p.after)
    .where('stores.closed_at', 'is', null)
    .orderBy('stores.id')
    .limit(STORES_AT_ONCE),
);
