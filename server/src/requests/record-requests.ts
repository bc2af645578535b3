import { type RawBuilder, sql } from 'kysely';
import { query, raw } from '../database/query.ts';
import { verb } from '../writer/verb.ts';

/** Requests that are kept of a store, and how many of those may have come with a key that was refused. */
export const MOST_REQUESTS = 200;
export const MOST_REFUSED = 50;
/** What those were answered with. */
const REFUSED = 'invalid_api_key';

/** Stands for the status of an answer that was never sent. */
export const NO_STATUS = 0n;

/** A request as it is kept. */
export interface RequestRow {
  storeId: bigint;
  /** Grows with time: the moment in its upper bits, and below what tells apart requests of the same. */
  id: bigint;
  keyId: string;
  requestId: string;
  method: string;
  path: string;
  operation: string | null;
  /** `NO_STATUS` where nothing was answered. */
  status: bigint;
  error: string | null;
  fault: string | null;
  micros: bigint;
  userAgent: string | null;
  requestBody: string | null;
  answerBody: string | null;
}

/** Bits of an id below the moment. */
const BELOW = 20n;

export function requestIdAt(at: number, below: number): bigint {
  return (BigInt(at) << BELOW) | BigInt.asUintN(Number(BELOW), BigInt(below));
}

export function momentOf(id: bigint): bigint {
  return id >> BELOW;
}

/** Keeps these requests, and no more than the last ones of each store. */
export const recordRequests = verb(
  'recordRequests',
  async (tx, { rows }: { rows: readonly RequestRow[] }): Promise<void> => {
    await Promise.all(rows.map((row) => tx.all(insertRequest, { ...row })));
    // Always in the same order, so that two replicas never wait for each other's rows.
    for (const storeId of [...new Set(rows.map((row) => row.storeId))].sort((a, b) => (a < b ? -1 : 1)))
      for (const statement of [forgetOldestRefused, forgetOldest]) await tx.all(statement, { storeId });
  },
);

// A store that was erased meanwhile keeps nothing.
const insertRequest = query((db, row: RequestRow) =>
  raw<never>(
    db,
    sql`
      INSERT INTO requests (store_id, id, key_id, request_id, method, path, operation, status, error, micros,
        user_agent, request_body, answer_body, fault)
      SELECT CAST(${row.storeId} AS bigint), CAST(${row.id} AS bigint), ${row.keyId}, ${row.requestId}, ${row.method},
        ${row.path}, ${row.operation}, CAST(${row.status} AS bigint), ${row.error}, CAST(${row.micros} AS bigint),
        ${row.userAgent}, ${row.requestBody}, ${row.answerBody}, ${row.fault}
      WHERE EXISTS (SELECT 1 FROM stores WHERE stores.id = ${row.storeId} AND closed_at IS NULL)
      ON CONFLICT DO NOTHING`,
  ),
);

const forgetOldest = forgetBeyond(MOST_REQUESTS, sql`true`);
const forgetOldestRefused = forgetBeyond(MOST_REFUSED, sql`error = ${sql.lit(REFUSED)}`);

function forgetBeyond(most: number, which: RawBuilder<unknown>) {
  return query((db, p: { storeId: bigint }) =>
    raw<never>(
      db,
      sql`
        DELETE FROM requests WHERE store_id = ${p.storeId} AND ${which} AND id <= (
          SELECT id FROM requests WHERE store_id = ${p.storeId} AND ${which}
          ORDER BY id DESC LIMIT 1 OFFSET ${sql.lit(most)}
        )`,
    ),
  );
}

/** Whether there is anything to forget. */
export const anyRequestBefore = query((db, p: { id: bigint }) =>
  db.selectFrom('requests').select('id').where('id', '<', p.id).limit(1),
);

/** Forgets what came before that moment. */
export const forgetRequests = verb(
  'forgetRequests',
  async (tx, { before }: { before: bigint }): Promise<void> => {
    await tx.all(forgetBefore, { before: before << BELOW });
  },
);

const forgetBefore = query((db, p: { before: bigint }) =>
  raw<never>(
    db,
    sql`DELETE FROM requests WHERE (store_id, id) IN (SELECT store_id, id FROM requests WHERE id < ${p.before} LIMIT 1000)`,
  ),
);

/** Requests of a store since a moment, newest first. */
export const requestPage = query((db, p: { storeId: bigint; since: bigint; before: bigint; limit: bigint }) =>
  db
    .selectFrom('requests')
    .selectAll()
    .where('store_id', '=', p.storeId)
    .where('id', '>=', p.since)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);
