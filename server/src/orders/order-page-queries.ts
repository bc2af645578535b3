import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type EngineName, type Query, query, raw, type Value } from '../database/query.ts';
import type { Schema } from '../database/schema.ts';
import { type Order, orderColumns } from './order.ts';
import { firstOfZone, lastOfZone } from './order-zones.ts';
import type { OrderStatus } from './states.ts';

/** Which conditions a page's query has; everything else about it is a parameter. */
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

/**
 * How the orders of a page are found in their order: along an index that has it; or, for dates by id, which no index
 * has, zone after zone of ids (those without such dates are passed over), or by sorting all that are in the range.
 */
export type Way = 'index' | 'zones' | 'sorting';

type PageParams = Record<string, Value>;

/** The one index that is made for the shape; undefined for the primary key. */
export function indexFor({ states, pet }: Shape, sortedBy: 'id' | 'date'): string | undefined {
  const parts = [...(pet ? ['pet'] : []), ...(states > 0 ? ['status'] : [])];
  if (sortedBy === 'date') parts.push('date');
  return parts.length === 0 ? undefined : `orders_by_${parts.join('_')}`;
}

/** Each state asked for is one walk; the walks are then merged. */
export const pageOf = compiledOnce((q: Writing, way: Way): RawBuilder<Order> => {
  const walk = { index: walkByIndex, zones: walkByZones, sorting: readRange }[way];
  // The walks need no more than their indexes; rows are looked up once it is known which are on the page. That also
  // keeps planners from reading the rows themselves along another index.
  return sql`
    SELECT ${sql.join(orderColumns.map((column) => sql.ref(`orders.${column}`)))}
    FROM (
      SELECT * FROM (${eachState(q, walk)}) AS walks ORDER BY ${sortOf(q.shape)} LIMIT ${q.p.limit}
    ) AS page
    CROSS JOIN orders
    WHERE orders.store_id = ${q.p.storeId} AND orders.id = page.id
    ORDER BY ${sortOf(q.shape, 'orders.')}`;
});

/** Whether a range of dates has more than `most` orders. */
export const isLong = compiledOnce((q: Writing): RawBuilder<{ isLong: bigint | boolean }> => {
  const most = sql`${q.p.most} + 1`;
  const found = eachState(
    q,
    (status) => sql`
      SELECT 1 FROM ${ordersAlong(q, 'date')} WHERE ${inRange(q, status)} ORDER BY ship_date LIMIT ${most}`,
  );
  return sql`
    SELECT count(*) > ${q.p.most} AS ${sql.ref('isLong')} FROM (${found} LIMIT ${most}) AS found`;
});

function walkByIndex(status: OrderStatus | undefined, q: Writing) {
  const { by, descending, after, from, to } = q.shape;
  const beyond = descending ? sql`<` : sql`>`;
  const conditions = equal(q, status);
  if (by === 'date') {
    // A walk that goes on from a position leaves out the bound it began with: a planner could begin there again.
    if (from && !(after && !descending)) conditions.push(sql`ship_date >= ${q.p.from}`);
    if (to && !(after && descending)) conditions.push(sql`ship_date < ${q.p.to}`);
    if (after) conditions.push(sql`(ship_date, id) ${beyond} (${q.p.afterDate}, ${q.p.afterId})`);
  } else if (after) conditions.push(sql`id ${beyond} ${q.p.afterId}`);
  return sql`
    SELECT id, ship_date FROM ${ordersAlong(q, by)} WHERE ${all(conditions)} ORDER BY ${sortOf(q.shape)} LIMIT ${q.p.limit}`;
}

function walkByZones(status: OrderStatus | undefined, q: Writing) {
  const { descending, after, from, to } = q.shape;
  const [beyond, direction] = descending ? [sql`<`, sql`DESC`] : [sql`>`, sql`ASC`];
  const zone = [sql`zones.store_id = ${q.p.storeId}`];
  if (from) zone.push(sql`latest >= ${q.p.from}`);
  if (to) zone.push(sql`earliest < ${q.p.to}`);
  if (after) zone.push(sql`zone ${beyond}= ${q.p.afterZone}`);
  // The dates are written so that no index of dates can be taken for them.
  const within = [inRange(q, status, sql`ship_date + 0`), sql`id BETWEEN ${firstOfZone} AND ${lastOfZone}`];
  if (after) within.push(sql`id ${beyond} ${q.p.afterId}`);
  const orders =
    q.engine === 'sqlite'
      ? sql`${ordersAlong(q, 'id')} WHERE ${all([...zone, ...within])}`
      : sql`LATERAL (
          SELECT id, ship_date FROM orders WHERE ${all(within)} ORDER BY id ${direction} LIMIT ${q.p.limit}
        ) AS found WHERE ${all(zone)}`;
  return sql`
    SELECT id, ship_date FROM order_zones AS zones CROSS JOIN ${orders}
    ORDER BY zone ${direction}, id ${direction} LIMIT ${q.p.limit}`;
}

function readRange(status: OrderStatus | undefined, q: Writing) {
  // Ids are written so that no index of ids can be taken for them.
  const id = sql`id + 0`;
  const conditions = [inRange(q, status)];
  if (q.shape.after) conditions.push(sql`${id} ${q.shape.descending ? sql`<` : sql`>`} ${q.p.afterId}`);
  return sql`SELECT ${id} AS id, ship_date FROM ${ordersAlong(q, 'date')} WHERE ${all(conditions)}`;
}

/** What one query is written from. */
interface Writing {
  readonly shape: Shape;
  readonly p: PageParams;
  readonly engine: EngineName;
}

/** Written and compiled once for each shape, and planned at each call: the limit decides the plan. */
function compiledOnce<R, W extends string[]>(write: (q: Writing, ...way: W) => RawBuilder<R>) {
  const queries = new Map<string, Query<PageParams, R>>();
  return (shape: Shape, ...way: W): Query<PageParams, R> => {
    const key = JSON.stringify([shape, way]);
    const build = (db: Kysely<Schema>, p: PageParams, engine: EngineName) =>
      raw(db, write({ shape, p, engine }, ...way));
    const known = queries.get(key) ?? query(build, { plannedEachTime: true });
    queries.set(key, known);
    return known;
  };
}

/** The table, read along the index that is made for it. SQLite is told: its planner knows no store's size. */
function ordersAlong({ shape, engine }: Writing, sortedBy: 'id' | 'date'): RawBuilder<unknown> {
  if (engine !== 'sqlite') return sql`orders`;
  const index = indexFor(shape, sortedBy);
  return index === undefined ? sql`orders NOT INDEXED` : sql`orders INDEXED BY ${sql.ref(index)}`;
}

/** One walk for each state asked for; a single one where all are. */
function eachState(
  q: Writing,
  walk: (status: OrderStatus | undefined, q: Writing) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const states = Array.from({ length: q.shape.states }, (_, i) => q.p[`status${i}`] as OrderStatus);
  const walks = (states.length === 0 ? [undefined] : states).map((status) => walk(status, q));
  return sql.join(
    walks.map((one) => sql`SELECT * FROM (${one}) AS walk`),
    sql` UNION ALL `,
  );
}

function equal({ shape, p }: Writing, status: OrderStatus | undefined): RawBuilder<unknown>[] {
  const conditions = [sql`orders.store_id = ${p.storeId}`];
  if (shape.pet) conditions.push(sql`pet_id = ${p.petId}`);
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  return conditions;
}

function inRange(q: Writing, status: OrderStatus | undefined, date = sql`ship_date`): RawBuilder<unknown> {
  const conditions = equal(q, status);
  if (q.shape.from) conditions.push(sql`${date} >= ${q.p.from}`);
  if (q.shape.to) conditions.push(sql`${date} < ${q.p.to}`);
  return all(conditions);
}

function all(conditions: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` AND `);
}

function sortOf({ by, descending }: Shape, table = ''): RawBuilder<unknown> {
  const direction = sql.raw(descending ? 'DESC' : 'ASC');
  const [date, id] = [sql.raw(`${table}ship_date`), sql.raw(`${table}id`)];
  return by === 'date' ? sql`${date} ${direction}, ${id} ${direction}` : sql`${id} ${direction}`;
}
