import type { Connection, Database } from '../database/engine.ts';
import { query } from '../database/query.ts';
import { etagAt, etagOf, isNotModified } from '../http/content/conditional.ts';
import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { notModifiedAnswer } from '../http/openapi/answers.ts';
import { answer, ifNoneMatch } from '../http/openapi/document-parts.ts';
import { caching } from '../http/openapi/headers.ts';
import { operation } from '../http/openapi/operation.ts';
import { totalCounts, weekCounts } from '../orders/order-counts.ts';
import { type OrderStatus, orderStatuses } from '../vocabulary.ts';
import { MOST_WEEKS, summaryExample } from './summary-schemas.ts';

export const getSummary = operation({
  operationId: 'getSummary',
  at: 'GET /store/summary',
  stability: 'beta',
  tag: 'orders',
  summary: 'Count orders and stock',
  description: `How many orders are in each state, in all and by the week in which they ship, and how many units of each pet are left: exact as of the revision that is named. Of the weeks in which orders ship, the last ${MOST_WEEKS}.`,
  headers: [ifNoneMatch],
  answers: {
    200: answer('The summary.', 'StoreSummary', summaryExample, caching),
    304: notModifiedAnswer(),
  },
  handle:
    ({ db }: { readonly db: Database }) =>
    async ({ request, caller }) => {
      const etag = etagOf(caller);
      if (isNotModified(request.headers, etag)) return { status: 304, headers: ['etag', etag] };
      await using snapshot = await db.snapshot();
      const { revision, text } = await readSummary(snapshot, caller.storeId);
      return jsonTextAnswer(request, text, 200, ['etag', etagAt(caller, revision)]);
    },
});

/** Read as the changes of orders keep it, all of it as of one revision. */
async function readSummary(
  snapshot: Connection,
  storeId: bigint,
): Promise<{ revision: bigint; text: string }> {
  const [{ revision } = { revision: 0n }] = await snapshot.all(storeRevision, { storeId });
  const totals = await snapshot.all(totalCounts, { storeId });
  // A week has a row for each state at the most.
  const limit = BigInt(MOST_WEEKS * orderStatuses.length);
  const byWeek = Map.groupBy(await snapshot.all(weekCounts, { storeId, limit }), ({ week }) => week);
  const pets = await snapshot.all(stockOfPets, { storeId });

  const weeks = [...byWeek]
    .slice(0, MOST_WEEKS)
    .reverse()
    .map(([week, counts]) => `{"week":"${dateOf(week)}",${writeCounts(counts)}}`);
  const stock = pets.map(({ id, stock }) => `{"petId":${id},"stock":${stock}}`);
  const text = `{"orders":{${writeCounts(totals)}},"weeks":[${weeks}],"stock":[${stock}],"revision":${revision}}`;
  return { revision, text };
}

function writeCounts(counts: ReadonlyArray<{ status: OrderStatus; count: bigint }>): string {
  const countOf = (status: OrderStatus) => counts.find((one) => one.status === status)?.count ?? 0n;
  return orderStatuses.map((status) => `"${status}":${countOf(status)}`).join();
}

/** No date has a year before it: the week that it is in begins with it. */
const FIRST_DATE = '0000-01-01';

function dateOf(monday: bigint): string {
  const text = new Date(Number(monday)).toISOString();
  return text.startsWith('-') ? FIRST_DATE : text.slice(0, FIRST_DATE.length);
}

const storeRevision = query((db, p: { storeId: bigint }) =>
  db.selectFrom('stores').select('revision').where('id', '=', p.storeId),
);

const stockOfPets = query((db, p: { storeId: bigint }) =>
  db.selectFrom('pets').select(['id', 'stock']).where('store_id', '=', p.storeId).orderBy('id'),
);
