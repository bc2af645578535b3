import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type EngineName, type Query, query, raw, type Value } from '../database/query.ts';
import type { Schema } from '../database/schema.ts';
import type { OrderStatus } from '../vocabulary.ts';
import { type Order, orderColumns } from './order.ts';

/** Which conditions a page's queries have; everything else about them is a parameter. */
export interface Shape {
  /** How many states; 0 for all of them. */
  readonly states: number;
  readonly pet: boolean;
  readonly from: boolean;
  readonly to: boolean;
  readonly by: 'id' | 'date';
  readonly descending: boolean;
  readonly after: boolean;
}

type PageParams = Record<string, Value>;

const columns = sql.join(orderColumns.map((column) => sql.ref(`orders.${column}`)));

/** A page along the index that has its order. */
export const pageAlongIndex = eachShape((q) => {
  const { states, pet, by, descending, after, from, to } = q.shape;
  const walk = (selected: RawBuilder<unknown>, status: OrderStatus | undefined) => {
    const conditions = equal(q, status);
    if (by === 'date') {
      // A walk that goes on from a position leaves out the bound it began with: a planner could begin there again.
      if (from && !(after && !descending)) conditions.push(sql`ship_date >= ${q.p.from}`);
      if (to && !(after && descending)) conditions.push(sql`ship_date < ${q.p.to}`);
      if (after) conditions.push(sql`(ship_date, id) ${beyond(q)} (${q.p.afterDate}, ${q.p.afterId})`);
    } else if (after) conditions.push(sql`id ${beyond(q)} ${q.p.afterId}`);
    return sql`
      SELECT ${selected} FROM ${ordersAlong(q, by)} WHERE ${all(conditions)}
      ORDER BY ${sortOf(q)} LIMIT ${q.p.limit}`;
  };
  if (states === 0 && !pet) return walk(columns, undefined);
  return pageOf(q, (status) => walk(sql`id, ship_date`, status));
});

/** How many orders are in a range of dates, counted up to `most`. */
export const countOfRange = eachShape<{ count: bigint }>((q) => {
  const found = eachState(
    q,
    (status) => sql`
      SELECT 1 FROM ${ordersAlong(q, 'date')} WHERE ${all([...equal(q, status), ...inRange(q)])}
      ORDER BY ship_date LIMIT ${q.p.most}`,
  );
  return sql`SELECT count(*) AS count FROM (${found} LIMIT ${q.p.most}) AS found`;
});

/** A page of a range of dates by id, for which the whole range is sorted. */
export const pageOfSortedRange = eachShape((q) =>
  pageOf(q, (status) => {
    // Ids are written so that no index of ids can be taken for them.
    const conditions = [...equal(q, status), ...inRange(q)];
    if (q.shape.after) conditions.push(sql`id + 0 ${beyond(q)} ${q.p.afterId}`);
    return sql`SELECT id + 0 AS id, ship_date FROM ${ordersAlong(q, 'date')} WHERE ${all(conditions)}`;
  }),
);

/** The id that ends a slice of so many orders, whatever they are; none if fewer are left. */
export const endOfSlice = eachShape<{ id: bigint }>(
  (q) => sql`
    SELECT id FROM ${primaryKey(q)} WHERE ${all([ofStore(q), ...behind(q)])}
    ORDER BY id ${direction(q)} LIMIT 1 OFFSET ${q.p.sliceSize} - 1`,
);

/** Those orders of a slice that are on the page. */
export const pageOfSlice = eachShape((q) => {
  const { states, pet, descending } = q.shape;
  const conditions = [ofStore(q), ...behind(q), sql`id ${descending ? sql`>=` : sql`<=`} ${q.p.end}`];
  if (pet) conditions.push(sql`pet_id = ${q.p.petId}`);
  if (states > 0) conditions.push(sql`status IN (${sql.join(statesOf(q))})`);
  // Dates are written so that no index of dates can be taken for them.
  conditions.push(...inRange(q, sql`ship_date + 0`));
  return sql`
    SELECT ${columns} FROM ${primaryKey(q)} WHERE ${all(conditions)}
    ORDER BY id ${direction(q)} LIMIT ${q.p.limit}`;
});

/** What one query is written from. */
interface Writing {
  readonly shape: Shape;
  readonly p: PageParams;
  readonly engine: EngineName;
}

/** Written and compiled once for each shape, and planned at each call: the limit decides the plan. */
function eachShape<R = Order>(write: (q: Writing) => RawBuilder<unknown>) {
  const queries = new Map<string, Query<PageParams, R>>();
  return (shape: Shape): Query<PageParams, R> => {
    const key = JSON.stringify(shape);
    const build = (db: Kysely<Schema>, p: PageParams, engine: EngineName) =>
      raw(db, write({ shape, p, engine }) as RawBuilder<R>);
    const known = queries.get(key) ?? query(build, { plannedEachTime: true });
    queries.set(key, known);
    return known;
  };
}

/**
 * The first orders of what a walk for each state finds. The walks need no more than their indexes; rows are looked up
 * once it is known which are on the page. That also keeps planners from reading them along another index.
 */
function pageOf(q: Writing, walk: (status: OrderStatus | undefined) => RawBuilder<unknown>) {
  return sql`
    SELECT ${columns}
    FROM (
      SELECT * FROM (${eachState(q, walk)}) AS walks ORDER BY ${sortOf(q)} LIMIT ${q.p.limit}
    ) AS page
    CROSS JOIN orders
    WHERE orders.store_id = ${q.p.storeId} AND orders.id = page.id
    ORDER BY ${sortOf(q, 'orders.')}`;
}

/** One walk for each state asked for; a single one where all are. */
function eachState(q: Writing, walk: (status: OrderStatus | undefined) => RawBuilder<unknown>) {
  const walks = (q.shape.states === 0 ? [undefined] : statesOf(q)).map(walk);
  return sql.join(
    walks.map((one) => sql`SELECT * FROM (${one}) AS walk`),
    sql` UNION ALL `,
  );
}

function statesOf({ shape, p }: Writing): OrderStatus[] {
  return Array.from({ length: shape.states }, (_, i) => p[`status${i}`] as OrderStatus);
}

/** The table, read along the index that is made for it. SQLite is told: its planner knows no store's size. */
function ordersAlong(q: Writing, sortedBy: 'id' | 'date'): RawBuilder<unknown> {
  const { states, pet } = q.shape;
  const parts = [...(pet ? ['pet'] : []), ...(states > 0 ? ['status'] : [])];
  if (sortedBy === 'date') parts.push('date');
  if (parts.length === 0) return primaryKey(q);
  return q.engine === 'sqlite'
    ? sql`orders INDEXED BY ${sql.ref(`orders_by_${parts.join('_')}`)}`
    : sql`orders`;
}

function primaryKey({ engine }: Writing): RawBuilder<unknown> {
  return engine === 'sqlite' ? sql`orders NOT INDEXED` : sql`orders`;
}

function equal(q: Writing, status: OrderStatus | undefined): RawBuilder<unknown>[] {
  const conditions = [ofStore(q)];
  if (q.shape.pet) conditions.push(sql`pet_id = ${q.p.petId}`);
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  return conditions;
}

function ofStore({ p }: Writing): RawBuilder<unknown> {
  return sql`orders.store_id = ${p.storeId}`;
}

function behind(q: Writing): RawBuilder<unknown>[] {
  return q.shape.after ? [sql`id ${beyond(q)} ${q.p.afterId}`] : [];
}

function inRange({ shape, p }: Writing, date = sql`ship_date`): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  if (shape.from) conditions.push(sql`${date} >= ${p.from}`);
  if (shape.to) conditions.push(sql`${date} < ${p.to}`);
  return conditions;
}

function all(conditions: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` AND `);
}

function beyond({ shape }: Writing): RawBuilder<unknown> {
  return shape.descending ? sql`<` : sql`>`;
}

function direction({ shape }: Writing): RawBuilder<unknown> {
  return shape.descending ? sql`DESC` : sql`ASC`;
}

function sortOf(q: Writing, table = ''): RawBuilder<unknown> {
  const [date, id] = [sql.raw(`${table}ship_date`), sql.raw(`${table}id`)];
  const way = direction(q);
  return q.shape.by === 'date' ? sql`${date} ${way}, ${id} ${way}` : sql`${id} ${way}`;
}
