import { type RawBuilder, sql } from 'kysely';
import { query } from '../database/query.ts';
import { findRows, insertRowIfAbsent } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import { isOpenStore } from '../stores/find-store.ts';
import { type Transaction, verb } from '../writer/verb.ts';

export const MAX_REQUESTS = 200;
export const MAX_REJECTED = 50;
const REJECTED = 'invalid_api_key';

export const NO_STATUS = 0n;

export type RequestRow = Schema['requests'];

/** Ids have the time in their upper bits, and a sequence number in the lower ones. */
const LOWER_BITS = 20n;
/** As a difference of two ids. */
const AN_HOUR = 3_600_000n << LOWER_BITS;

export function requestIdAt(at: number, lower: number): bigint {
  return (BigInt(at) << LOWER_BITS) | BigInt.asUintN(Number(LOWER_BITS), BigInt(lower));
}

export function timeOfId(id: bigint): bigint {
  return id >> LOWER_BITS;
}

type Recorded = { readonly row: RequestRow; readonly keyId: string };

/** Stores requests, up to the limit of each store. */
export const recordRequests = verb('recordRequests', async (tx, { requests }: { requests: Recorded[] }) => {
  const byStore = Map.groupBy(requests, ({ row }) => row.store_id);
  // Sorted, so that replicas lock rows in the same order.
  for (const [recordedId, own] of [...byStore].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const storeId = await findCurrentStore(tx, recordedId, new Set(own.map(({ keyId }) => keyId)));
    if (storeId === undefined) continue;
    await tx.all(deleteFuture, { storeId, latest: (own[0] as Recorded).row.id + AN_HOUR });
    await Promise.all(own.map(({ row }) => insertRowIfAbsent(tx, 'requests', { ...row, store_id: storeId })));
    await tx.all(deleteOldestRejected, { storeId });
    await tx.all(deleteOldest, { storeId });
  }
});

/** The store that recorded the requests, or, after a reset, the one that its keys open now. */
async function findCurrentStore(tx: Transaction, storeId: bigint, keyIds: ReadonlySet<string>) {
  if (await isOpenStore(tx, storeId)) return storeId;
  const found = await Promise.all(Array.from(keyIds, (id) => findRows(tx, 'keys', { id }, ['store_id'])));
  return found.flat()[0]?.store_id;
}

/** Requests recorded by a clock that was ahead would evict all new ones. */
const deleteFuture = query((db, p: { storeId: bigint; latest: bigint }) =>
  db.deleteFrom('requests').where('store_id', '=', p.storeId).where('id', '>', p.latest),
);

const deleteOldest = deleteBeyond(MAX_REQUESTS, sql`true`);
const deleteOldestRejected = deleteBeyond(MAX_REJECTED, sql`error = ${sql.lit(REJECTED)} AND fault IS NULL`);

/** Deletes a range of ids, so that concurrent replicas rarely lock rows in a different order. */
function deleteBeyond(max: number, which: RawBuilder<unknown>) {
  return query(
    (_, p: { storeId: bigint }) => sql<never>`
      DELETE FROM requests WHERE store_id = ${p.storeId} AND ${which} AND id <= (
        SELECT id FROM requests WHERE store_id = ${p.storeId} AND ${which}
        ORDER BY id DESC LIMIT 1 OFFSET ${sql.lit(max)}
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
