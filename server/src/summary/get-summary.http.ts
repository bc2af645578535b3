import { yieldToEventLoop } from '../concurrency/yield-to-event-loop.ts';
import { query } from '../database/query.ts';
import { type OrderStatus, orderStatuses } from '../domain/vocabulary.ts';
import { isNotModified, jsonTextResponse, storeEtag } from '../http/content/negotiation.ts';
import { countSchema, described, int64Schema, listOf, schemaRef } from '../http/openapi/openapi.ts';
import { cacheableResponses } from '../http/openapi/responses.ts';
import { responseSchema } from '../http/openapi/schemas.ts';
import { operation, type Services } from '../http/operations/operation.ts';
import { totalCounts, weekCounts } from '../orders/order-counts.ts';
import { storeRevision } from '../stores/find-store.ts';

/** Ten years; earlier weeks are omitted. */
const MAX_WEEKS = 520;

const countsExample = Object.fromEntries(orderStatuses.map((status, i) => [status, i === 0 ? 1 : 0]));
const summaryExample = {
  orders: countsExample,
  weeks: [{ week: '2026-12-07', ...countsExample }],
  stock: [{ petId: 1, stock: 24 }],
  revision: 17,
};

/** For the document only: far above the default quota of pets per store. */
const MAX_PETS = 1_000_000;

const counts = Object.fromEntries(
  orderStatuses.map((status) => [status, countSchema(`Number of ${status} orders.`, countsExample[status])]),
);

const summarySchemas = {
  StoreSummary: responseSchema('Order counts and stock levels.', {
    orders: schemaRef('OrderCounts'),
    weeks: listOf(
      'WeekCounts',
      MAX_WEEKS,
      `The last ${MAX_WEEKS} weeks in which orders ship, oldest first. Weeks without orders are omitted.`,
    ),
    stock: listOf('PetStock', MAX_PETS, 'Every pet of the store, sorted by ascending id.'),
    revision: described(int64Schema, 'The store revision that the counts reflect.', 17),
  }),
  OrderCounts: {
    ...responseSchema('Number of orders per status.', counts),
    examples: [summaryExample.orders],
  },
  WeekCounts: responseSchema('Number of orders that ship in one week, per status.', {
    week: described(
      { type: 'string', format: 'date', minLength: 10, maxLength: 10 },
      'The Monday of the week. UTC.',
      '2026-12-07',
    ),
    ...counts,
  }),
  PetStock: responseSchema('Stock of a pet.', {
    petId: described(int64Schema, 'Id of the pet.', 1),
    stock: countSchema('Units in stock.', 24),
  }),
};

const getSummary = operation({
  operationId: 'getSummary',
  at: 'GET /store/summary',
  summary: 'Get order counts and stock',
  description: `Returns the number of orders per status, in total and per week of their ship date (for the last ${MAX_WEEKS} weeks that have orders), and the stock of every pet. All counts are exact at the returned revision.`,
  responses: cacheableResponses('The summary.', 'StoreSummary', summaryExample),
  async handle({ request, caller, storeId }, { db }: Services) {
    const etag = storeEtag(caller);
    if (isNotModified(request.headers, etag)) return { status: 304, headers: ['etag', etag] };
    await yieldToEventLoop(caller.tenantId);
    await using snapshot = await db.snapshot();
    const revision = await storeRevision(snapshot, storeId);
    const totals = await totalCounts(snapshot, storeId);
    const limit = BigInt(MAX_WEEKS * orderStatuses.length);
    const byWeek = Map.groupBy(await snapshot.all(weekCounts, { storeId, limit }), ({ week }) => week);
    const pets = await snapshot.all(stockOfPets, { storeId });

    const weeks = [...byWeek]
      .slice(0, MAX_WEEKS)
      .reverse()
      .map(([week, counts]) => `{"week":"${dateOf(week)}",${writeCounts(counts)}}`);
    const stock = pets.map(({ id, stock }) => `{"petId":${id},"stock":${stock}}`);
    const text = `{"orders":{${writeCounts(totals)}},"weeks":[${weeks}],"stock":[${stock}],"revision":${revision}}`;
    return jsonTextResponse(request, text, 200, ['etag', storeEtag(caller, revision)]);
  },
});

export const summaryFeature = {
  tag: 'orders',
  stability: 'beta',
  operations: [getSummary],
  schemas: summarySchemas,
};

function writeCounts(counts: ReadonlyArray<{ status: OrderStatus; count: bigint }>): string {
  const countOf = (status: OrderStatus) => counts.find((row) => row.status === status)?.count ?? 0n;
  return orderStatuses.map((status) => `"${status}":${countOf(status)}`).join();
}

/** The first valid date, in place of its Monday, which is in the year before. */
const FIRST_DATE = '0000-01-01';

function dateOf(monday: bigint): string {
  const text = new Date(Number(monday)).toISOString();
  return text.startsWith('-') ? FIRST_DATE : text.slice(0, FIRST_DATE.length);
}

const stockOfPets = query((db, p: { storeId: bigint }) =>
  db.selectFrom('pets').select(['id', 'stock']).where('store_id', '=', p.storeId).orderBy('id'),
);
