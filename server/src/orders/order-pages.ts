import type { Expression, Kysely, SqlBool } from 'kysely';
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

/**
 * Up to this many orders in a range of dates are sorted by id for each page. Beyond it, a walk in order of id
 * finds enough of them on its way.
 */
const FEW = 20_000n;

/** One page of orders. Each state asked for is one walk along one index; the walks are then merged. */
export async function orderPage(db: Connection, request: PageRequest): Promise<Order[]> {
  const { filter, after } = request;
  const shape: Shape = {
    states: filter.statuses.length === orderStatuses.length ? 0 : filter.statuses.length,
    pet: filter.petId !== undefined,
    from: filter.from !== undefined,
    to: filter.to !== undefined,
    sort: request.sort,
    after: after !== undefined,
    few: false,
  };
  const params: PageParams = {
    storeId: request.storeId,
    petId: filter.petId ?? null,
    from: filter.from ?? null,
    to: filter.to ?? null,
    afterDate: after?.shipDate ?? null,
    afterId: after?.id ?? null,
    limit: request.limit,
    few: FEW,
    ...Object.fromEntries(filter.statuses.map((status, i) => [`status${i}`, status])),
  };
  const byId = request.sort === 'id' || request.sort === '-id';
  if (byId && (shape.from || shape.to)) {
    const [{ count } = { count: 0n }] = await db.all(countQuery(shape), { ...params, few: FEW + 1n });
    if (count <= FEW) return db.all(pageQuery({ ...shape, few: true }), params);
  }
  return db.all(pageQuery(shape), params);
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
  /** Read the range of dates whole, and sort it. */
  readonly few: boolean;
}

type PageParams = Record<string, Value>;

const pageQueries = new Map<string, Query<PageParams, Order>>();
const countQueries = new Map<string, Query<PageParams, { count: bigint }>>();

export function pageQuery(shape: Shape): Query<PageParams, Order> {
  return remember(pageQueries, shape, () =>
    query((db, p: PageParams) => (shape.few ? sortedFew(db, p, shape) : mergedWalks(db, p, shape)), {
      plannedEachTime: true,
    }),
  );
}

function countQuery(shape: Shape): Query<PageParams, { count: bigint }> {
  return remember(countQueries, shape, () =>
    query(
      (db, p: PageParams) =>
        db.selectFrom(dateWalks(db, p, shape).as('few')).select((eb) => eb.fn.countAll<bigint>().as('count')),
      { plannedEachTime: true },
    ),
  );
}

function remember<Q>(queries: Map<string, Q>, shape: Shape, make: () => Q): Q {
  const key = JSON.stringify(shape);
  const known = queries.get(key) ?? make();
  queries.set(key, known);
  return known;
}

type Db = Kysely<Schema>;

function mergedWalks(db: Db, p: PageParams, shape: Shape) {
  const [first, ...rest] = statesOf(p, shape).map((status) => limited(walk(db, p, shape, status), p, shape));
  if (!first) throw new Error('a page needs at least one walk');
  if (rest.length === 0) return first;
  const [head, ...tail] = [first, ...rest].map((branch, i) =>
    db.selectFrom(branch.as(`walk${i}`)).selectAll(),
  );
  const union = tail.reduce((all, branch) => all.unionAll(branch), head as NonNullable<typeof head>);
  return limited(db.selectFrom(union.as('walks')).selectAll(), p, shape);
}

/** All orders of the range, along the index of dates, then by id. */
function sortedFew(db: Db, p: PageParams, shape: Shape) {
  const inRange = db.selectFrom(dateWalks(db, p, shape).as('few')).selectAll();
  const rest = shape.after
    ? inRange.where('id', shape.sort === 'id' ? '>' : '<', p.afterId as bigint)
    : inRange;
  return limited(rest, p, shape);
}

function dateWalks(db: Db, p: PageParams, shape: Shape) {
  const dated: Shape = { ...shape, sort: 'shipDate', after: false };
  const branches = statesOf(p, shape).map((status, i) =>
    db
      .selectFrom(
        walk(db, p, dated, status)
          .orderBy('ship_date')
          .limit(p.few as bigint)
          .as(`dates${i}`),
      )
      .selectAll(),
  );
  return branches.reduce((all, branch) => all.unionAll(branch));
}

function statesOf(p: PageParams, shape: Shape): Array<OrderStatus | undefined> {
  if (shape.states === 0) return [undefined];
  return Array.from({ length: shape.states }, (_, i) => p[`status${i}`] as OrderStatus);
}

/** The orders of one state (or of all) that satisfy every condition, as yet in no order. */
function walk(db: Db, p: PageParams, shape: Shape, status: OrderStatus | undefined) {
  const byDate = shape.sort.endsWith('shipDate');
  const comparison = shape.sort.startsWith('-') ? '<' : '>';
  return db
    .selectFrom('orders')
    .select(orderColumns)
    .where('store_id', '=', p.storeId as bigint)
    .where((eb) => {
      const conditions: Expression<SqlBool>[] = [];
      if (status !== undefined) conditions.push(eb('status', '=', status));
      if (shape.pet) conditions.push(eb('pet_id', '=', p.petId as bigint));
      // Adding nothing keeps a walk by id from being led along the index of dates.
      const date = byDate ? eb.ref('ship_date') : eb('ship_date', '+', eb.lit(0) as never);
      // Behind a position of the walk itself, the bound it started from says nothing more, and would only tempt
      // a planner to start there again.
      const started = shape.after && byDate;
      if (shape.from && !(started && comparison === '>')) conditions.push(eb(date, '>=', p.from as bigint));
      if (shape.to && !(started && comparison === '<')) conditions.push(eb(date, '<', p.to as bigint));
      if (shape.after && byDate) {
        conditions.push(
          eb(
            eb.refTuple('ship_date', 'id'),
            comparison,
            eb.tuple(p.afterDate as bigint, p.afterId as bigint),
          ),
        );
      } else if (shape.after) conditions.push(eb('id', comparison, p.afterId as bigint));
      return eb.and(conditions);
    });
}

/** What any of the derived tables has in common with the orders themselves: the same columns. */
type Walk = ReturnType<typeof walk>;

function limited(page: unknown, p: PageParams, { sort }: Shape): Walk {
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const sorted = sort.endsWith('shipDate') ? (page as Walk).orderBy('ship_date', direction) : (page as Walk);
  return sorted.orderBy('id', direction).limit(p.limit as bigint);
}
