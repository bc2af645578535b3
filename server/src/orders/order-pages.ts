import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Connection } from '../database/engine.ts';
import { type Query, query, type Value } from '../database/query.ts';
import type { Schema } from '../database/schema.ts';
import { type Order, orderColumns } from './change-status.ts';
import { type OrderStatus, orderStatuses } from './states.ts';

export const orderSorts = ['id', '-id', 'shipDate', '-shipDate'] as const;
export type OrderSort = (typeof orderSorts)[number];

export interface OrderFilter {
  readonly statuses: readonly OrderStatus[];
  readonly petId: bigint | undefined;
  /** Inclusive. */
  readonly from: bigint | undefined;
  /** Exclusive. */
  readonly to: bigint | undefined;
}

/** Where the page before ended. */
export interface Position {
  readonly shipDate: bigint;
  readonly id: bigint;
}

export interface PageRequest {
  readonly storeId: bigint;
  readonly filter: OrderFilter;
  readonly sort: OrderSort;
  readonly after: Position | undefined;
  readonly limit: bigint;
}

/** Ids are cut into zones of 4096 (2 to this power): the indexes that begin with a zone are made for it. */
const ZONE_BITS = 12n;

/** One page of orders. Each state asked for is one walk along one index; the walks are then merged. */
export function orderPage(db: Connection, request: PageRequest): Promise<Order[]> {
  const { filter, after } = request;
  const shape: Shape = {
    states: filter.statuses.length === orderStatuses.length ? 0 : filter.statuses.length,
    pet: filter.petId !== undefined,
    from: filter.from !== undefined,
    to: filter.to !== undefined,
    sort: request.sort,
    after: after !== undefined,
  };
  return db.all(pageQuery(shape), {
    storeId: request.storeId,
    petId: filter.petId ?? null,
    from: filter.from ?? null,
    to: filter.to ?? null,
    afterDate: after?.shipDate ?? null,
    afterId: after?.id ?? null,
    afterZone: after === undefined ? null : after.id >> ZONE_BITS,
    limit: request.limit,
    ...Object.fromEntries(filter.statuses.map((status, i) => [`status${i}`, status])),
  });
}

/** Which conditions a page's query has; everything else about it is a parameter. */
export interface Shape {
  /** How many states; 0 for all of them. */
  readonly states: number;
  readonly pet: boolean;
  readonly from: boolean;
  readonly to: boolean;
  readonly sort: OrderSort;
  readonly after: boolean;
}

export type PageParams = Record<string, Value>;

const pageQueries = new Map<string, Query<PageParams, Order>>();

export function pageQuery(shape: Shape): Query<PageParams, Order> {
  const key = JSON.stringify(shape);
  const known = pageQueries.get(key) ?? query(writePageQuery(shape), { plannedEachTime: true });
  pageQueries.set(key, known);
  return known;
}

function writePageQuery(shape: Shape) {
  return (db: Kysely<Schema>, p: PageParams) => {
    const page = writePage(shape, p);
    return { compile: () => page.compile(db), execute: async () => (await page.execute(db)).rows };
  };
}

/**
 * The walks need no more than their indexes; rows are looked up once it is known which of them are on the page. That
 * also keeps planners from reading the rows themselves along another index.
 */
function writePage(shape: Shape, p: PageParams): RawBuilder<Order> {
  const columns = sql.join(orderColumns.map((column) => sql.ref(`orders.${column}`)));
  const states = Array.from({ length: shape.states }, (_, i) => p[`status${i}`] as OrderStatus);
  const walks = (states.length === 0 ? [undefined] : states).map((status) => {
    const walk = isByZone(shape) ? walkByZone(shape, p, status) : walkByIndex(shape, p, status);
    return sql`SELECT * FROM (${walk}) AS walk`;
  });
  return sql`
    SELECT ${columns}
    FROM (
      SELECT * FROM (${sql.join(walks, sql` UNION ALL `)}) AS walks ORDER BY ${sortOf(shape)} LIMIT ${p.limit}
    ) AS page
    CROSS JOIN orders
    WHERE orders.store_id = ${p.storeId} AND orders.id = page.id
    ORDER BY ${sortOf(shape, 'orders.')}`;
}

/** In the order of an index that begins with the equal conditions and goes on with what is sorted by. */
function walkByIndex(shape: Shape, p: PageParams, status: OrderStatus | undefined) {
  const { after, from, to } = shape;
  const comparison = isDescending(shape) ? sql`<` : sql`>`;
  const conditions = equal(shape, p, status);
  if (isByDate(shape)) {
    // Behind a position of the walk itself the bound that it began with says nothing more, and a planner could
    // begin there again.
    if (from && !(after && !isDescending(shape))) conditions.push(sql`ship_date >= ${p.from}`);
    if (to && !(after && isDescending(shape))) conditions.push(sql`ship_date < ${p.to}`);
    if (after) conditions.push(sql`(ship_date, id) ${comparison} (${p.afterDate}, ${p.afterId})`);
  } else if (after) conditions.push(sql`id ${comparison} ${p.afterId}`);
  return sql`SELECT id, ship_date FROM orders WHERE ${all(conditions)} ORDER BY ${sortOf(shape)} LIMIT ${p.limit}`;
}

/**
 * By id within a range of dates, for which no index has the order. Zone after zone of ids is asked, at the cost of one
 * look each, whether it has any order in the range, until enough were seen; only those zones are then sorted by id.
 */
function walkByZone(shape: Shape, p: PageParams, status: OrderStatus | undefined) {
  const [beyond, direction] = isDescending(shape) ? [sql`<`, sql`DESC`] : [sql`>`, sql`ASC`];
  const within = equal(shape, p, status);
  const zone = sql`id >> ${sql.lit(Number(ZONE_BITS))}`;
  const next = (condition: RawBuilder<unknown>[]) =>
    sql`(SELECT ${zone} FROM orders WHERE ${all([...within, ...condition])} ORDER BY ${zone} ${direction} LIMIT 1)`;
  const matching = [...within, sql`${zone} = zones.zone`];
  // Dates are written as in the indexes of zones and in no other, ids as in none: no planner can take another.
  if (shape.from) matching.push(sql`ship_date + 0 >= ${p.from}`);
  if (shape.to) matching.push(sql`ship_date + 0 < ${p.to}`);
  if (shape.after) matching.push(sql`id + 0 ${beyond} ${p.afterId}`);
  const first = shape.after ? next([sql`${zone} ${beyond}= ${p.afterZone}`]) : next([]);
  return sql`
    WITH RECURSIVE zones (zone, seen) AS (
      SELECT ${first}, CAST(0 AS bigint)
      UNION ALL
      SELECT ${next([sql`${zone} ${beyond} zones.zone`])},
        zones.seen + (SELECT count(*) FROM (SELECT 1 FROM orders WHERE ${all(matching)} LIMIT ${p.limit}) AS found)
      FROM zones WHERE zones.zone IS NOT NULL AND zones.seen < ${p.limit}
    )
    SELECT id FROM zones CROSS JOIN orders
    WHERE zones.seen BETWEEN 0 AND ${p.limit} - 1 AND ${all(matching)} ORDER BY id + 0 ${direction} LIMIT ${p.limit}`;
}

function equal(shape: Shape, p: PageParams, status: OrderStatus | undefined): RawBuilder<unknown>[] {
  const conditions = [sql`store_id = ${p.storeId}`];
  if (shape.pet) conditions.push(sql`pet_id = ${p.petId}`);
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  return conditions;
}

function all(conditions: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` AND `);
}

function isByDate({ sort }: Shape): boolean {
  return sort.endsWith('shipDate');
}

function isDescending({ sort }: Shape): boolean {
  return sort.startsWith('-');
}

function isByZone(shape: Shape): boolean {
  return !isByDate(shape) && (shape.from || shape.to);
}

function sortOf(shape: Shape, table = ''): RawBuilder<unknown> {
  const direction = sql.raw(isDescending(shape) ? 'DESC' : 'ASC');
  const [date, id] = [sql.raw(`${table}ship_date`), sql.raw(`${table}id`)];
  return isByDate(shape) ? sql`${date} ${direction}, ${id} ${direction}` : sql`${id} ${direction}`;
}
