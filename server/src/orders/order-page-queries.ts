import { type RawBuilder, sql } from 'kysely';
import { type EngineName, type Params, queryByShape } from '../database/query.ts';
import type { OrderStatus } from '../vocabulary.ts';
import { type Order, orderColumns } from './order.ts';

/** Which conditions a page's queries have; everything else about them is a parameter. */
export interface Shape {
  /** How many states are asked for; 0 for all of them. */
  readonly statusCount: number;
  readonly pet: boolean;
  readonly from: boolean;
  readonly to: boolean;
  readonly by: 'id' | 'date';
  readonly descending: boolean;
  readonly after: boolean;
}

type Sql = RawBuilder<unknown>;

/** One query while it is written: its shape, its parameters, and the pieces that many queries have. */
interface Draft extends Shape {
  readonly p: Params;
  readonly engine: EngineName;
  readonly ofStore: Sql;
  readonly beyond: Sql;
  readonly direction: Sql;
}

const draftOf = (shape: Shape, p: Params, engine: EngineName): Draft => ({
  ...shape,
  p,
  engine,
  ofStore: sql`orders.store_id = ${p.storeId}`,
  beyond: shape.descending ? sql`<` : sql`>`,
  direction: shape.descending ? sql`DESC` : sql`ASC`,
});

const pageQuery = <R = Order>(write: (q: Draft) => Sql) =>
  queryByShape<Shape, R>((...args) => write(draftOf(...args)));

const columns = sql.join(orderColumns.map((column) => sql.ref(`orders.${column}`)));

/** A page along the index that has its order. */
export const pageAlongIndex = pageQuery((q) => {
  const walk = (selected: Sql, status: OrderStatus | undefined) => {
    const conditions = ofPetAndStatus(q, status);
    if (q.by === 'date') {
      // A walk that goes on from a position leaves out the bound it began with: a planner could begin there again.
      if (q.from && !(q.after && !q.descending)) conditions.push(sql`ship_date >= ${q.p.from}`);
      if (q.to && !(q.after && q.descending)) conditions.push(sql`ship_date < ${q.p.to}`);
      if (q.after) conditions.push(sql`(ship_date, id) ${q.beyond} (${q.p.afterDate}, ${q.p.afterId})`);
    } else conditions.push(...afterPosition(q));
    return sql`
      SELECT ${selected} FROM ${ordersAlong(q, q.by)} WHERE ${and(conditions)}
      ORDER BY ${sortOf(q)} LIMIT ${q.p.limit}`;
  };
  if (q.statusCount === 0 && !q.pet) return walk(columns, undefined);
  return pageOf(q, (status) => walk(sql`id, ship_date`, status));
});

export const countOfRange = pageQuery<{ count: bigint }>((q) => {
  const found = eachState(
    q,
    (status) => sql`
      SELECT 1 FROM ${ordersAlong(q, 'date')} WHERE ${and([...ofPetAndStatus(q, status), ...inRange(q)])}
      ORDER BY ship_date LIMIT ${q.p.most}`,
  );
  return sql`SELECT count(*) AS count FROM (${found} LIMIT ${q.p.most}) AS found`;
});

/** A page of a range of dates by id, for which the whole range is sorted. No index of ids can be taken for `id + 0`. */
export const pageOfSortedRange = pageQuery((q) =>
  pageOf(q, (status) => {
    const conditions = [...ofPetAndStatus(q, status), ...inRange(q), ...afterPosition(q, sql`id + 0`)];
    return sql`SELECT id + 0 AS id, ship_date FROM ${ordersAlong(q, 'date')} WHERE ${and(conditions)}`;
  }),
);

/** The id that ends a slice of so many orders, whatever they are; none if fewer are left. */
export const endOfSlice = pageQuery<{ id: bigint }>(
  (q) => sql`
    SELECT id FROM ${primaryKey(q)} WHERE ${and([q.ofStore, ...afterPosition(q)])}
    ORDER BY id ${q.direction} LIMIT 1 OFFSET ${q.p.sliceSize} - 1`,
);

/** Those orders of a slice that are on the page. No index of dates can be taken for `ship_date + 0`. */
export const pageOfSlice = pageQuery((q) => {
  const conditions = [q.ofStore, ...afterPosition(q), sql`id ${q.descending ? sql`>=` : sql`<=`} ${q.p.end}`];
  if (q.pet) conditions.push(sql`pet_id = ${q.p.petId}`);
  if (q.statusCount > 0) conditions.push(sql`status IN (${sql.join(statesOf(q))})`);
  conditions.push(...inRange(q, sql`ship_date + 0`));
  return sql`
    SELECT ${columns} FROM ${primaryKey(q)} WHERE ${and(conditions)}
    ORDER BY id ${q.direction} LIMIT ${q.p.limit}`;
});

/**
 * The first orders of what a walk for each state finds. The walks need no more than their indexes; rows are looked up
 * once it is known which are on the page. That also keeps planners from reading them along another index.
 */
function pageOf(q: Draft, walk: (status: OrderStatus | undefined) => Sql): Sql {
  return sql`
    SELECT ${columns}
    FROM (
      SELECT * FROM (${eachState(q, walk)}) AS walks ORDER BY ${sortOf(q)} LIMIT ${q.p.limit}
    ) AS page
    CROSS JOIN orders
    WHERE ${q.ofStore} AND orders.id = page.id
    ORDER BY ${sortOf(q, 'orders.')}`;
}

function eachState(q: Draft, walk: (status: OrderStatus | undefined) => Sql): Sql {
  const walks = (q.statusCount === 0 ? [undefined] : statesOf(q)).map(walk);
  return sql.join(
    walks.map((one) => sql`SELECT * FROM (${one}) AS walk`),
    sql` UNION ALL `,
  );
}

function statesOf({ statusCount, p }: Draft): OrderStatus[] {
  return Array.from({ length: statusCount }, (_, i) => p[`status${i}`] as OrderStatus);
}

/** The table, read along the index that is made for it. SQLite is told: its planner knows no store's size. */
function ordersAlong(q: Draft, sortedBy: 'id' | 'date'): Sql {
  const parts = [...(q.pet ? ['pet'] : []), ...(q.statusCount > 0 ? ['status'] : [])];
  if (sortedBy === 'date') parts.push('date');
  if (parts.length === 0) return primaryKey(q);
  return q.engine === 'sqlite'
    ? sql`orders INDEXED BY ${sql.ref(`orders_by_${parts.join('_')}`)}`
    : sql`orders`;
}

function primaryKey({ engine }: Draft): Sql {
  return engine === 'sqlite' ? sql`orders NOT INDEXED` : sql`orders`;
}

function ofPetAndStatus(q: Draft, status: OrderStatus | undefined): Sql[] {
  const conditions = [q.ofStore];
  if (q.pet) conditions.push(sql`pet_id = ${q.p.petId}`);
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  return conditions;
}

function afterPosition(q: Draft, id = sql`id`): Sql[] {
  return q.after ? [sql`${id} ${q.beyond} ${q.p.afterId}`] : [];
}

function inRange({ from, to, p }: Draft, date = sql`ship_date`): Sql[] {
  return [...(from ? [sql`${date} >= ${p.from}`] : []), ...(to ? [sql`${date} < ${p.to}`] : [])];
}

function and(conditions: Sql[]): Sql {
  return sql.join(conditions, sql` AND `);
}

function sortOf({ by, direction }: Draft, table = ''): Sql {
  const [date, id] = [sql.raw(`${table}ship_date`), sql.raw(`${table}id`)];
  return by === 'date' ? sql`${date} ${direction}, ${id} ${direction}` : sql`${id} ${direction}`;
}
