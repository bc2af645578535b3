import { type RawBuilder, sql } from 'kysely';
import { type EngineName, queryByShape } from '../database/query.ts';
import type { OrderStatus } from '../vocabulary.ts';
import { type Order, orderColumns } from './order.ts';

/** Orders that are looked at in one turn. A range of dates with no more of them is sorted, to be shown by id. */
export const SLICE_SIZE = 5_000n;

/** What a page is asked for. What is undefined is no condition of its queries. */
export interface PageParams {
  readonly storeId: bigint;
  /** The states that are asked for, as `status0`, `status1` and so on: each is one parameter. Without any, all are. */
  readonly [status: `status${number}`]: OrderStatus;
  readonly petId: bigint | undefined;
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
  readonly byDate: boolean;
  readonly descending: boolean;
  readonly afterDate: bigint | undefined;
  readonly afterId: bigint | undefined;
  readonly end?: bigint;
  readonly limit: bigint;
}

type Sql = RawBuilder<unknown>;

/** What SQL is written from. Its values are places for parameters, which nothing can be computed from; flags are flags. */
interface Draft extends PageParams {
  readonly engine: EngineName;
  readonly beyond: Sql;
  readonly direction: Sql;
  readonly states: readonly OrderStatus[];
}

function pageQuery<R = Order>(write: (q: Draft) => Sql) {
  return queryByShape<PageParams, R>((p, engine) => {
    const [beyond, direction] = p.descending ? [sql`<`, sql`DESC`] : [sql`>`, sql`ASC`];
    const ofStates = Object.entries(p).filter(([name]) => name.startsWith('status'));
    const states = ofStates.map(([, status]) => status as OrderStatus);
    return write({ ...p, engine, beyond, direction, states });
  });
}

const columns = sql.join(orderColumns.map((column) => sql.ref(`orders.${column}`)));

export const pageAlongIndex = pageQuery((q) => {
  const walk = (selected: Sql, status?: OrderStatus) => {
    const conditions = [...ofPetAndStatus(q, status), ...inRange(q), ...afterPosition(q)];
    return sql`
      SELECT ${selected} FROM ${ordersAlong(q, q.byDate)} WHERE ${and(conditions)}
      ORDER BY ${sortOf(q)} LIMIT ${q.limit}`;
  };
  if (q.states.length === 0 && q.petId === undefined) return walk(columns);
  return pageOf(q, (status) => walk(sql`id, ship_date`, status));
});

export const countOfRange = pageQuery<{ count: bigint }>((q) => {
  const found = eachState(q, (status) => {
    const conditions = [...ofPetAndStatus(q, status), ...inRange(q)];
    return sql`
      SELECT 1 FROM ${ordersAlong(q, true)} WHERE ${and(conditions)} ORDER BY ship_date LIMIT ${SLICE_SIZE + 1n}`;
  });
  return sql`SELECT count(*) AS count FROM (${found} LIMIT ${SLICE_SIZE + 1n}) AS found`;
});

/** A page of a range of dates by id, for which the whole range is sorted. No index of ids can be taken for `id + 0`. */
export const pageOfSortedRange = pageQuery((q) =>
  pageOf(q, (status) => {
    const conditions = [...ofPetAndStatus(q, status), ...inRange(q), ...afterPosition(q, sql`id + 0`)];
    return sql`SELECT id + 0 AS id, ship_date FROM ${ordersAlong(q, true)} WHERE ${and(conditions)}`;
  }),
);

/** The id that ends a slice of so many orders, whatever they are; none if fewer are left. */
export const endOfSlice = pageQuery<{ id: bigint }>(
  (q) => sql`
    SELECT id FROM ${primaryKey(q)} WHERE ${and([ofStore(q), ...afterPosition(q)])}
    ORDER BY id ${q.direction} LIMIT 1 OFFSET ${SLICE_SIZE - 1n}`,
);

/** Those orders of a slice that are on the page. No index of dates can be taken for `ship_date + 0`. */
export const pageOfSlice = pageQuery((q) => {
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
