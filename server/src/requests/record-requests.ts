import { type RawBuilder, sql } from 'kysely';
import { query } from '../database/query.ts';
import { ensureRow, findRows } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import { isOpenStore } from '../stores/find-store.ts';
import { type Transaction, verb } from '../writer/verb.ts';

export const MAX_REQUESTS = 200;
export const MAX_REJECTED = 50;
const REJECTED = 'invalid_api_key';

export const NO_STATUS = 0n;

export type RequestRow = Schema['requests'];

/** An id has its moment in the upper bits; the lower ones tell apart requests of the same moment. */
const LOWER_BITS = 20n;
const AN_HOUR = 3_600_000n << LOWER_BITS;

export function requestIdAt(at: number, lower: number): bigint {
  return (BigInt(at) << LOWER_BITS) | BigInt.asUintN(Number(LOWER_BITS), BigInt(lower));
}

export function timeOfId(id: bigint): bigint {
  return id >> LOWER_BITS;
}

type Recorded = { readonly row: RequestRow; readonly ofKey: string };

/** Keeps these requests, and no more than the last ones of each store. */
export const recordRequests = verb('recordRequests', async (tx, { requests }: { requests: Recorded[] }) => {
  const ofStores = Map.groupBy(requests, ({ row }) => row.store_id);
  // Always in the same order, so that two replicas never wait for each other's rows.
  for (const [notedId, own] of [...ofStores].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const storeId = await openStoreOf(tx, notedId, new Set(own.map(({ ofKey }) => ofKey)));
    if (storeId === undefined) continue;
    await tx.all(forgetAhead, { storeId, latest: (own[0] as Recorded).row.id + AN_HOUR });
    await Promise.all(own.map(({ row }) => ensureRow(tx, 'requests', { ...row, store_id: storeId })));
    await tx.all(deleteOldestRejected, { storeId });
    await tx.all(forgetOldest, { storeId });
  }
});

/** Where the store was closed, it is the one that any of its keys opens now: after a reset there is one. */
async function openStoreOf(tx: Transaction, notedId: bigint, keyIds: ReadonlySet<string>) {
  if (await isOpenStore(tx, notedId)) return notedId;
  const found = await Promise.all(Array.from(keyIds, (id) => findRows(tx, 'keys', { id }, ['store_id'])));
  return found.flat()[0]?.store_id;
}

/** Those of a clock that was ahead would push out all new ones. */
const forgetAhead = query((db, p: { storeId: bigint; latest: bigint }) =>
  db.deleteFrom('requests').where('store_id', '=', p.storeId).where('id', '>', p.latest),
);

const forgetOldest = forgetBeyond(MAX_REQUESTS, sql`true`);
const deleteOldestRejected = forgetBeyond(MAX_REJECTED, sql`error = ${sql.lit(REJECTED)} AND fault IS NULL`);

/** By a range of ids, so that replicas which forget the same rows seldom meet them in another order. */
function forgetBeyond(most: number, which: RawBuilder<unknown>) {
  return query(
    (_, p: { storeId: bigint }) => sql<never>`
      DELETE FROM requests WHERE store_id = ${p.storeId} AND ${which} AND id <= (
        SELECT id FROM requests WHERE store_id = ${p.storeId} AND ${which}
        ORDER BY id DESC LIMIT 1 OFFSET ${sql.lit(most)}
      )`,
  );
}

export const requestPage = query((db, p: { storeId: bigint; since: bigint; before: bigint; limit: bigint }) =>
  db
    .selectFrom('requests')
    .select(['store_id', 'id', 'key_id', 'request_id', 'method', 'path', 'operation', 'status', 'error'])
    .select(['micros', 'user_agent', 'request_body', 'answer_body', 'fault', 'traceparent'])
    .select(['request_headers', 'response_headers'])
    .where('store_id', '=', p.storeId)
    .where('id', '>=', p.since)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);
