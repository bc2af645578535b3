import { type RawBuilder, sql } from 'kysely';
import { type EngineName, type Params, queryByShape } from '../database/query.ts';
import type { OrderStatus } from '../vocabulary.ts';
import { type Order, orderColumns } from './order.ts';

/** The conditions that a page's queries have; their values are parameters. */
export interface Shape {
  /** 0 stands for all states. */
  readonly statusCount: number;
  readonly pet: boolean;
  readonly from: boolean;
  readonly to: boolean;
  readonly by: 'id' | 'date';
  readonly descending: boolean;
  readonly after: boolean;
}

type Sql = RawBuilder<unknown>;

interface Draft extends Shape {
  readonly p: Params;
  readonly engine: EngineName;
  readonly beyond: Sql;
  readonly direction: Sql;
}

function pageQuery<R = Order>(write: (q: Draft) => Sql) {
  return queryByShape<Shape, R>((shape, p, engine) => {
    const [beyond, direction] = shape.descending ? [sql`<`, sql`DESC`] : [sql`>`, sql`ASC`];
    return write({ ...shape, p, engine, beyond, direction });
  });
}

const columns = sql.join(orderColumns.map((column) => sql.ref(`orders.${column}`)));

export const pageAlongIndex = pageQuery((q) => {
  const walk = (selected: Sql, status?: OrderStatus) => {
    const conditions = [...ofPetAndStatus(q, status), ...inRange(q), ...afterPosition(q)];
    return sql`
      SELECT ${selected} FROM ${ordersAlong(q, q.by)} WHERE ${and(conditions)}
      ORDER BY ${sortOf(q)} LIMIT ${q.p.limit}`;
  };
  if (q.statusCount === 0 && !q.pet) return walk(columns);
  return pageOf(q, (status) => walk(sql`id, ship_date`, status));
});

export const countOfRange = pageQuery<{ count: bigint }>((q) => {
  const found = eachState(q, (status) => {
    const conditions = [...ofPetAndStatus(q, status), ...inRange(q)];
    return sql`
      SELECT 1 FROM ${ordersAlong(q, 'date')} WHERE ${and(conditions)} ORDER BY ship_date LIMIT ${q.p.most}`;
  });
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
    SELECT id FROM ${primaryKey(q)} WHERE ${and([ofStore(q), ...afterPosition(q)])}
    ORDER BY id ${q.direction} LIMIT 1 OFFSET ${q.p.sliceSize} - 1`,
);

/** Those orders of a slice that are on the page. No index of dates can be taken for `ship_date + 0`. */
export const pageOfSlice = pageQuery((q) => {
  const conditions = [...ofPetAndStatus(q), ...inRange(q, sql`ship_date + 0`), ...afterPosition(q)];
  conditions.push(q.descending ? sql`id >= ${q.p.end}` : sql`id <= ${q.p.end}`);
  if (q.statusCount > 0) conditions.push(sql`status IN (${sql.join(statesOf(q))})`);
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
    WHERE ${ofStore(q)} AND orders.id = page.id
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

function ofStore({ p }: Draft): Sql {
  return sql`orders.store_id = ${p.storeId}`;
}

function ofPetAndStatus(q: Draft, status?: OrderStatus): Sql[] {
  const conditions = [ofStore(q)];
  if (q.pet) conditions.push(sql`pet_id = ${q.p.petId}`);
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  return conditions;
}

function inRange({ from, to, p }: Draft, date = sql`ship_date`): Sql[] {
  return [...(from ? [sql`${date} >= ${p.from}`] : []), ...(to ? [sql`${date} < ${p.to}`] : [])];
}

function afterPosition({ after, by, beyond, p }: Draft, id = sql`id`): Sql[] {
  if (!after) return [];
  return by === 'date'
    ? [sql`(ship_date, id) ${beyond} (${p.afterDate}, ${p.afterId})`]
    : [sql`${id} ${beyond} ${p.afterId}`];
}

function and(conditions: Sql[]): Sql {
  return sql.join(conditions, sql` AND `);
}

function sortOf({ by, direction }: Draft, table = ''): Sql {
  const [date, id] = [sql.raw(`${table}ship_date`), sql.raw(`${table}id`)];
  return by === 'date' ? sql`${date} ${direction}, ${id} ${direction}` : sql`${id} ${direction}`;
}
