import { type RawBuilder, sql } from 'kysely';
import { type Connection, type EngineName, queryByShape, type Value } from '../database/query.ts';
import { type OrderStatus, orderStatuses } from '../domain/vocabulary.ts';
import type { Position } from '../http/pages/paging.ts';
import { type Order, orderColumns } from './order.ts';
import { type FilterValues, givenFilters } from './order-filters.ts';

export const orderSorts = ['id', '-id', 'shipDate', '-shipDate'] as const;

/** Orders read per event-loop tick. A range of dates with at most this many is sorted by id in one query. */
const SLICE_SIZE = 5_000n;

interface OrderPageRequest {
  readonly storeId: bigint;
  readonly statuses: readonly OrderStatus[];
  readonly values?: FilterValues;
  readonly sort: (typeof orderSorts)[number];
  /** The ship date and the id of the order before the page. */
  readonly after: Position | undefined;
  readonly limit: bigint;
}

/** Whether an index has the matching orders in the page's order. Otherwise, finding a page may take long. */
export function isServedByIndex({ sort, values = {} }: Pick<OrderPageRequest, 'sort' | 'values'>): boolean {
  return givenFilters(values).every(
    ({ index }) => index === 'pet' || (index === 'date' && sort.endsWith('shipDate')),
  );
}

/** A page of orders, in slices of one event-loop tick each. Slices may be empty. */
export async function* orderPage(db: Connection, request: OrderPageRequest): AsyncGenerator<Order[]> {
  if (request.statuses.length === 0) return;
  const params = paramsOf(request);
  if (isServedByIndex(request)) {
    yield db.all(pageAlongIndex(params), params);
    return;
  }
  const isRangeById =
    !params.byDate && givenFilters(request.values ?? {}).some(({ index }) => index === 'date');
  const [range] = isRangeById ? await db.all(countOfRange(params), params) : [];
  // An empty slice ends the tick, because counting the range may have taken all of it.
  yield [];
  if (range && range.count <= SLICE_SIZE) yield db.all(pageOfSortedRange(params), params);
  else yield* scan(db, params);
}

/** Reads orders in sort order and filters them until the page is full. */
async function* scan(db: Connection, params: PageParams): AsyncGenerator<Order[]> {
  let position = params;
  while (position.limit > 0n) {
    const [end] = await db.all(endOfSlice(position), position);
    const slice = { ...position, endDate: end?.ship_date, endId: end?.id };
    const found = await db.all(pageOfSlice(slice), slice);
    yield found;
    if (!end) return;
    const limit = position.limit - BigInt(found.length);
    position = { ...continueAfter(params, [end.ship_date, end.id]), limit };
  }
}

interface PageParams {
  readonly storeId: bigint;
  readonly byDate: boolean;
  readonly descending: boolean;
  readonly afterDate: bigint | undefined;
  readonly afterId: bigint | undefined;
  readonly endDate?: bigint | undefined;
  readonly endId?: bigint | undefined;
  readonly limit: bigint;
  /** Filters by name, and the requested statuses as `status0`, `status1` and so on; none if all are requested. */
  readonly [name: string]: Value | boolean | undefined;
}

function paramsOf({ storeId, statuses, values, sort, after, limit }: OrderPageRequest): PageParams {
  const requested = statuses.length < orderStatuses.length ? statuses : [];
  const params: PageParams = {
    ...values,
    ...Object.fromEntries(requested.map((status, i) => [`status${i}`, status])),
    storeId,
    byDate: sort.endsWith('shipDate'),
    descending: sort.startsWith('-'),
    afterDate: undefined,
    afterId: undefined,
    limit,
  };
  return after ? continueAfter(params, after) : params;
}

/** If sorted by date, drops the date filter that the position has passed: a planner might start the scan at the filter's date. */
function continueAfter(params: PageParams, [afterDate, afterId]: Position): PageParams {
  const { byDate, descending } = params;
  const bounds = givenFilters(params).filter(({ index }) => byDate && index === 'date');
  const passed = bounds.filter(({ operator }) => operator === (descending ? '<' : '>='));
  return {
    ...params,
    ...Object.fromEntries(passed.map(({ name }) => [name, undefined])),
    afterDate,
    afterId,
  };
}

type Sql = RawBuilder<unknown>;

/** SQL is built once per query shape: here, values are placeholders, except booleans and undefined, which the SQL depends on. */
function queryInputOf(p: PageParams, engine: EngineName) {
  const [comparison, direction] = p.descending ? [sql`<`, sql`DESC`] : [sql`>`, sql`ASC`];
  const states = Object.entries(p).flatMap(([name, status]) =>
    /^status\d+$/.test(name) ? [status as OrderStatus] : [],
  );
  return { ...p, filters: givenFilters(p), engine, comparison, direction, states };
}
type QueryInput = ReturnType<typeof queryInputOf>;

function pageQuery<R = Order>(build: (q: QueryInput) => Sql) {
  return queryByShape<PageParams, R>((p, engine) => build(queryInputOf(p, engine)));
}

const columns = sql.join(orderColumns.map((column) => sql.ref(`orders.${column}`)));

const pageAlongIndex = pageQuery((q) => {
  const walk = (selected: Sql, status?: OrderStatus) => {
    const conditions = [...matching(q, status), ...afterPosition(q)];
    return sql`
      SELECT ${selected} FROM ${ordersIndexedFor(q, q.byDate)} WHERE ${and(conditions)}
      ORDER BY ${sortOf(q)} LIMIT ${q.limit}`;
  };
  if (q.states.length === 0 && !q.filters.some(({ index }) => index === 'pet')) return walk(columns);
  return mergedByStatus(q, (status) => walk(sql`id, ship_date`, status));
});

const countOfRange = pageQuery<{ count: bigint }>((q) => {
  const found = unionOfStatuses(q, (status) => {
    const conditions = matching(
      { ...q, filters: q.filters.filter(({ index }) => index !== undefined) },
      status,
    );
    return sql`
      SELECT 1 FROM ${ordersIndexedFor(q, true)} WHERE ${and(conditions)} ORDER BY ship_date LIMIT ${SLICE_SIZE + 1n}`;
  });
  return sql`SELECT count(*) AS count FROM (${found} LIMIT ${SLICE_SIZE + 1n}) AS found`;
});

/** Sorts a whole range of dates by id. `id + 0` keeps planners from using an index of ids. */
const pageOfSortedRange = pageQuery((q) =>
  mergedByStatus(q, (status) => {
    const conditions = [...matching(q, status), ...afterPosition(q, sql`id + 0`)];
    return sql`SELECT id + 0 AS id, ship_date FROM ${ordersIndexedFor(q, true)} WHERE ${and(conditions)}`;
  }),
);

/** The last order of a slice, matching or not; no row if fewer are left. */
const endOfSlice = pageQuery<Pick<Order, 'id' | 'ship_date'>>((q) => {
  const range = q.byDate ? q.filters.filter(({ index }) => index === 'date') : [];
  const conditions = [...matching({ ...q, filters: range }), ...afterPosition(q)];
  return sql`
    SELECT id, ship_date FROM ${ordersInSortOrder(q)} WHERE ${and(conditions)}
    ORDER BY ${sortOf(q)} LIMIT 1 OFFSET ${SLICE_SIZE - 1n}`;
});

/** The matching orders of a slice. By id, `ship_date + 0` keeps planners from using an index of dates. */
const pageOfSlice = pageQuery((q) => {
  const conditions = [
    ...matching(q, undefined, q.byDate ? sql`ship_date` : sql`ship_date + 0`),
    ...afterPosition(q),
  ];
  if (q.endId !== undefined) conditions.push(...untilEndOfSlice(q));
  if (q.states.length > 0) conditions.push(sql`status IN (${sql.join(q.states)})`);
  return sql`
    SELECT ${columns} FROM ${ordersInSortOrder(q)} WHERE ${and(conditions)}
    ORDER BY ${sortOf(q)} LIMIT ${q.limit}`;
});

/**
 * Merges one index walk per status. The walks read only their indexes; rows are looked up once it is known which are on the
 * page, which also keeps planners from using another index.
 */
function mergedByStatus(q: QueryInput, walk: (status: OrderStatus | undefined) => Sql): Sql {
  return sql`
    SELECT ${columns}
    FROM (
      SELECT * FROM (${unionOfStatuses(q, walk)}) AS walks ORDER BY ${sortOf(q)} LIMIT ${q.limit}
    ) AS page
    CROSS JOIN orders
    WHERE ${ofStore(q)} AND orders.id = page.id
    ORDER BY ${sortOf(q, 'orders.')}`;
}

function unionOfStatuses(q: QueryInput, walk: (status: OrderStatus | undefined) => Sql): Sql {
  const walks = (q.states.length === 0 ? [undefined] : q.states).map(walk);
  return sql.join(
    walks.map((walk) => sql`SELECT * FROM (${walk}) AS walk`),
    sql` UNION ALL `,
  );
}

/** The table, with the index for the filters: SQLite's planner does not know the sizes of stores. */
function ordersIndexedFor(q: QueryInput, byDate: boolean): Sql {
  const parts = q.filters.some(({ index }) => index === 'pet') ? ['pet'] : [];
  if (q.states.length > 0) parts.push('status');
  if (byDate) parts.push('date');
  if (q.engine === 'postgres') return sql`orders`;
  return parts.length === 0
    ? sql`orders NOT INDEXED`
    : sql`orders INDEXED BY ${sql.ref(`orders_by_${parts.join('_')}`)}`;
}

/** The table in the page's order, without an index for filters. */
function ordersInSortOrder(q: QueryInput): Sql {
  return ordersIndexedFor({ ...q, filters: [], states: [] }, q.byDate);
}

function ofStore({ storeId }: QueryInput): Sql {
  return sql`orders.store_id = ${storeId}`;
}

function matching(q: QueryInput, status?: OrderStatus, shipDate = sql`ship_date`): Sql[] {
  const conditions = [ofStore(q)];
  for (const { column, operator, value } of q.filters)
    conditions.push(
      sql`${column === 'ship_date' ? shipDate : sql.ref(column)} ${sql.raw(operator)} ${value}`,
    );
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  return conditions;
}

function afterPosition({ afterDate, afterId, byDate, comparison }: QueryInput, id = sql`id`): Sql[] {
  if (afterId === undefined) return [];
  return byDate
    ? [sql`(ship_date, id) ${comparison} (${afterDate}, ${afterId})`]
    : [sql`${id} ${comparison} ${afterId}`];
}

function untilEndOfSlice({ endDate, endId, byDate, descending }: QueryInput): Sql[] {
  const operator = descending ? sql`>=` : sql`<=`;
  return [byDate ? sql`(ship_date, id) ${operator} (${endDate}, ${endId})` : sql`id ${operator} ${endId}`];
}

function and(conditions: Sql[]): Sql {
  return sql.join(conditions, sql` AND `);
}

function sortOf({ byDate, direction }: QueryInput, table = ''): Sql {
  const [date, id] = [sql.raw(`${table}ship_date`), sql.raw(`${table}id`)];
  return byDate ? sql`${date} ${direction}, ${id} ${direction}` : sql`${id} ${direction}`;
}
