import { type RawBuilder, sql } from 'kysely';
import { type Connection, type EngineName, queryByShape } from '../database/query.ts';
import { type OrderStatus, orderStatuses } from '../domain/vocabulary.ts';
import type { Position } from '../http/pages/paging.ts';
import { type Order, orderColumns } from './order.ts';

export const orderSorts = ['id', '-id', 'shipDate', '-shipDate'] as const;

/** Orders that are looked at in one turn. A range of dates with no more of them is sorted, to be shown by id. */
const SLICE_SIZE = 5_000n;

/** What is undefined is no condition. */
interface Filters {
  readonly storeId: bigint;
  readonly petId?: bigint | undefined;
  readonly from?: bigint | undefined;
  readonly to?: bigint | undefined;
  readonly limit: bigint;
}

interface OrderPageRequest extends Filters {
  readonly statuses: readonly OrderStatus[];
  readonly sort: (typeof orderSorts)[number];
  /** The ship date and the id of the order before the page. */
  readonly after: Position | undefined;
}

/** No index sorts a range of dates by id: it may take long to find a page of it. */
export function isDateRangeById({ sort, from, to }: Pick<OrderPageRequest, 'sort' | 'from' | 'to'>): boolean {
  return sort.endsWith('id') && (from !== undefined || to !== undefined);
}

/** One page of orders, in slices that take a turn each. A slice is empty if it only took the search further. */
export async function* orderPage(db: Connection, request: OrderPageRequest): AsyncGenerator<Order[]> {
  const params = paramsOf(request);
  if (request.statuses.length === 0) return;
  if (!isDateRangeById(request)) {
    yield db.all(pageAlongIndex(params), params);
    return;
  }
  const [range] = await db.all(countOfRange(params), params);
  yield [];
  if (range && range.count > SLICE_SIZE) yield* walkAlongIds(db, params);
  else yield db.all(pageOfSortedRange(params), params);
}

/** Goes through all orders by id, whether they are asked for or not, until the page is full. */
async function* walkAlongIds(db: Connection, params: PageParams): AsyncGenerator<Order[]> {
  const lastId = params.descending ? -(2n ** 63n) : 2n ** 63n - 1n;
  let position = params;
  while (position.limit > 0n) {
    const [slice] = await db.all(endOfSlice(position), position);
    const upToEnd = { ...position, end: slice?.id ?? lastId };
    const found = await db.all(pageOfSlice(upToEnd), upToEnd);
    yield found;
    if (!slice) return;
    position = { ...params, afterId: slice.id, limit: position.limit - BigInt(found.length) };
  }
}

interface PageParams extends Filters {
  /** The states that are asked for, as `status0`, `status1` and so on: each is one parameter. Without any, all are. */
  readonly [status: `status${number}`]: OrderStatus;
  readonly byDate: boolean;
  readonly descending: boolean;
  readonly afterDate: bigint | undefined;
  readonly afterId: bigint | undefined;
  readonly end?: bigint;
}

function paramsOf({ statuses, sort, after, ...filters }: OrderPageRequest): PageParams {
  const some = statuses.length < orderStatuses.length ? statuses : [];
  const [byDate, descending] = [sort.endsWith('shipDate'), sort.startsWith('-')];
  const [afterDate, afterId] = after ?? [];
  // By date, the cursor is the nearer bound: were the farther one given too, a planner might begin at that.
  const passed = byDate && after && (descending ? { to: undefined } : { from: undefined });
  return {
    ...filters,
    ...passed,
    ...Object.fromEntries(some.map((status, i) => [`status${i}`, status])),
    byDate,
    descending,
    afterDate,
    afterId,
  };
}

type Sql = RawBuilder<unknown>;

/** What SQL is written from, once for all values: they are placeholders, of which only flags and what is undefined can be asked. */
function draftOf(p: PageParams, engine: EngineName) {
  const [beyond, direction] = p.descending ? [sql`<`, sql`DESC`] : [sql`>`, sql`ASC`];
  const ofStates = Object.entries(p).filter(([name]) => name.startsWith('status'));
  const states = ofStates.map(([, status]) => status as OrderStatus);
  return { ...p, engine, beyond, direction, states };
}
type Draft = ReturnType<typeof draftOf>;

function pageQuery<R = Order>(write: (q: Draft) => Sql) {
  return queryByShape<PageParams, R>((p, engine) => write(draftOf(p, engine)));
}

const columns = sql.join(orderColumns.map((column) => sql.ref(`orders.${column}`)));

const pageAlongIndex = pageQuery((q) => {
  const walk = (selected: Sql, status?: OrderStatus) => {
    const conditions = [...ofPetAndStatus(q, status), ...inRange(q), ...afterPosition(q)];
    return sql`
      SELECT ${selected} FROM ${ordersAlong(q, q.byDate)} WHERE ${and(conditions)}
      ORDER BY ${sortOf(q)} LIMIT ${q.limit}`;
  };
  if (q.states.length === 0 && q.petId === undefined) return walk(columns);
  return pageOf(q, (status) => walk(sql`id, ship_date`, status));
});

const countOfRange = pageQuery<{ count: bigint }>((q) => {
  const found = eachState(q, (status) => {
    const conditions = [...ofPetAndStatus(q, status), ...inRange(q)];
    return sql`
      SELECT 1 FROM ${ordersAlong(q, true)} WHERE ${and(conditions)} ORDER BY ship_date LIMIT ${SLICE_SIZE + 1n}`;
  });
  return sql`SELECT count(*) AS count FROM (${found} LIMIT ${SLICE_SIZE + 1n}) AS found`;
});

/** A page of a range of dates by id, for which the whole range is sorted. No index of ids can be taken for `id + 0`. */
const pageOfSortedRange = pageQuery((q) =>
  pageOf(q, (status) => {
    const conditions = [...ofPetAndStatus(q, status), ...inRange(q), ...afterPosition(q, sql`id + 0`)];
    return sql`SELECT id + 0 AS id, ship_date FROM ${ordersAlong(q, true)} WHERE ${and(conditions)}`;
  }),
);

/** The id that ends a slice of so many orders, whatever they are; none if fewer are left. */
const endOfSlice = pageQuery<{ id: bigint }>(
  (q) => sql`
    SELECT id FROM ${primaryKey(q)} WHERE ${and([ofStore(q), ...afterPosition(q)])}
    ORDER BY id ${q.direction} LIMIT 1 OFFSET ${SLICE_SIZE - 1n}`,
);

/** Those orders of a slice that are on the page. No index of dates can be taken for `ship_date + 0`. */
const pageOfSlice = pageQuery((q) => {
  const conditions = [...ofPetAndStatus(q), ...inRange(q, sql`ship_date + 0`), ...afterPosition(q)];
  conditions.push(q.descending ? sql`id >= ${q.end}` : sql`id <= ${q.end}`);
  if (q.states.length > 0) conditions.push(sql`status IN (${sql.join(q.states)})`);
  return sql`
    SELECT ${columns} FROM ${primaryKey(q)} WHERE ${and(conditions)}
    ORDER BY id ${q.direction} LIMIT ${q.limit}`;
});

/**
 * The first orders of what a walk for each state finds. The walks need no more than their indexes; rows are looked up
 * once it is known which are on the page. That also keeps planners from reading them along another index.
 */
function pageOf(q: Draft, walk: (status: OrderStatus | undefined) => Sql): Sql {
  return sql`
    SELECT ${columns}
    FROM (
      SELECT * FROM (${eachState(q, walk)}) AS walks ORDER BY ${sortOf(q)} LIMIT ${q.limit}
    ) AS page
    CROSS JOIN orders
    WHERE ${ofStore(q)} AND orders.id = page.id
    ORDER BY ${sortOf(q, 'orders.')}`;
}

function eachState(q: Draft, walk: (status: OrderStatus | undefined) => Sql): Sql {
  const walks = (q.states.length === 0 ? [undefined] : q.states).map(walk);
  return sql.join(
    walks.map((one) => sql`SELECT * FROM (${one}) AS walk`),
    sql` UNION ALL `,
  );
}

/** The table, read along the index that is made for it. SQLite is told: its planner knows no store's size. */
function ordersAlong(q: Draft, byDate: boolean): Sql {
  const parts = q.petId === undefined ? [] : ['pet'];
  if (q.states.length > 0) parts.push('status');
  if (byDate) parts.push('date');
  if (parts.length === 0) return primaryKey(q);
  return q.engine === 'sqlite'
    ? sql`orders INDEXED BY ${sql.ref(`orders_by_${parts.join('_')}`)}`
    : sql`orders`;
}

function primaryKey({ engine }: Draft): Sql {
  return engine === 'sqlite' ? sql`orders NOT INDEXED` : sql`orders`;
}

function ofStore({ storeId }: Draft): Sql {
  return sql`orders.store_id = ${storeId}`;
}

function ofPetAndStatus(q: Draft, status?: OrderStatus): Sql[] {
  const conditions = [ofStore(q)];
  if (q.petId !== undefined) conditions.push(sql`pet_id = ${q.petId}`);
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  return conditions;
}

function inRange({ from, to }: Draft, date = sql`ship_date`): Sql[] {
  const conditions = from === undefined ? [] : [sql`${date} >= ${from}`];
  if (to !== undefined) conditions.push(sql`${date} < ${to}`);
  return conditions;
}

function afterPosition({ afterDate, afterId, byDate, beyond }: Draft, id = sql`id`): Sql[] {
  if (afterId === undefined) return [];
  return byDate
    ? [sql`(ship_date, id) ${beyond} (${afterDate}, ${afterId})`]
    : [sql`${id} ${beyond} ${afterId}`];
}

function and(conditions: Sql[]): Sql {
  return sql.join(conditions, sql` AND `);
}

function sortOf({ byDate, direction }: Draft, table = ''): Sql {
  const [date, id] = [sql.raw(`${table}ship_date`), sql.raw(`${table}id`)];
  return byDate ? sql`${date} ${direction}, ${id} ${direction}` : sql`${id} ${direction}`;
}
