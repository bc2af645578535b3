import { sql } from 'kysely';
import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import type { Job } from '../writer/background.ts';
import { verb } from '../writer/verb.ts';
import type { Writer } from '../writer/writer.ts';
import { endedStores, endStore } from './end-store.ts';

/** Rows erased by one change: each is short, so that no other change waits long behind it. */
const BATCH = 1_000n;

/** Ends every store that was to end by now, and erases every one whose time has come. A run that was stopped is finished by the next. */
export function eraseClosedStores(db: Connection, writer: Writer, now: () => number): Job {
  return {
    name: 'erasing closed stores',
    rest: 60_000,
    async run(signal, piece) {
      const erase = async (storeId: bigint) => {
        while (!signal.aborted) {
          const done = await writer.apply(eraseStore, { storeId }).catch(unlessRefused);
          if (!done || done.erased) break;
        }
      };
      for (const { id: storeId } of await db.all(endedStores, { now: BigInt(now()) }))
        await piece(() => writer.apply(endStore, { storeId, at: BigInt(now()) }).catch(unlessRefused));
      for (const { id } of await db.all(closedStores, { now: BigInt(now()) })) await piece(() => erase(id));
    },
  };
}

/** Another replica was quicker. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error;
}

const closedStores = query((db, p: { now: bigint }) =>
  db.selectFrom('stores').select('id').where('closed_at', '<=', p.now),
);

/** Erases some of a closed store's rows, without locking it, as nothing changes it; `erased` once none is left. */
export const eraseStore = verb(
  'eraseStore',
  async (tx, { storeId }: { storeId: bigint }): Promise<{ erased: boolean }> => {
    const [closed] = await tx.all(closedStore, { storeId });
    if (!closed) throw new Refusal('not_found');
    for (const { lastOfBatch, erase } of large) {
      const [last] = await tx.all(lastOfBatch, { storeId, skip: BATCH - 1n });
      if (!last) continue;
      await tx.all(erase, { storeId, last: last.id });
      return { erased: false };
    }
    for (const table of small) await tx.all(table, { storeId });
    await tx.all(eraseRow, { storeId });
    return { erased: true };
  },
);

const closedStore = query((db, p: { storeId: bigint }) =>
  db.selectFrom('stores').select('id').where('id', '=', p.storeId).where('closed_at', 'is not', null),
);

/** Tables in which a store may have any number of rows, each with the column that they are in order of. */
const largeTables = { orders: 'id', changes: 'revision', order_counts: 'week' } as const;

const large = Object.entries(largeTables).map(([name, column]) => {
  const table = name as keyof typeof largeTables;
  const place = sql.ref<bigint>(column);
  return {
    lastOfBatch: query((db, p: { storeId: bigint; skip: bigint }) =>
      db
        .selectFrom(table)
        .select(place.as('id'))
        .where('store_id', '=', p.storeId)
        .orderBy(place)
        .limit(1)
        .offset(p.skip),
    ),
    erase: query((db, p: { storeId: bigint; last: bigint }) =>
      db.deleteFrom(table).where('store_id', '=', p.storeId).where(place, '<=', p.last),
    ),
  };
});

const smallTables = ['pets', 'idempotency', 'webhooks', 'faults', 'requests', 'keys'] as const;

/** The rest of the large ones, and everything that is never much. */
const small = (['orders', 'changes', 'order_counts', ...smallTables] as const).map((table) =>
  query((db, p: { storeId: bigint }) => db.deleteFrom(table).where('store_id', '=', p.storeId)),
);

const eraseRow = query((db, p: { storeId: bigint }) => db.deleteFrom('stores').where('id', '=', p.storeId));
