import type { Connection } from '../database/engine.ts';
import { type OrderStatus, orderStatuses } from '../vocabulary.ts';
import type { Order } from './order.ts';
import {
  countOfRange,
  endOfSlice,
  pageAlongIndex,
  pageOfSlice,
  pageOfSortedRange,
  type Shape,
} from './order-page-queries.ts';

export const orderSorts = ['id', '-id', 'shipDate', '-shipDate'] as const;
export type OrderSort = (typeof orderSorts)[number];

export interface OrderFilter {
  readonly statuses: readonly OrderStatus[];
  readonly petId?: bigint | undefined;
  readonly from?: bigint | undefined;
  readonly to?: bigint | undefined;
}

interface Position {
  readonly shipDate: bigint;
  readonly id: bigint;
}

export interface OrderPageRequest {
  readonly storeId: bigint;
  readonly filter: OrderFilter;
  readonly sort: OrderSort;
  readonly after: Position | undefined;
  readonly limit: bigint;
}

/** Orders that are looked at in one turn. A range of dates with no more of them is sorted, to be shown by id. */
const SLICE_SIZE = 5_000n;

/** No index sorts a range of dates by id: it may take long to find a page of it. */
export function isDateRangeById({ filter, sort }: Pick<OrderPageRequest, 'filter' | 'sort'>): boolean {
  return sort.endsWith('id') && (filter.from !== undefined || filter.to !== undefined);
}

/** One page of orders, in slices that take a turn each. A slice is empty if it only took the search further. */
export async function* orderPage(db: Connection, request: OrderPageRequest): AsyncGenerator<Order[]> {
  const [shape, params] = [shapeOf(request), paramsOf(request)];
  if (request.filter.statuses.length === 0) return;
  if (!isDateRangeById(request)) {
    yield db.all(pageAlongIndex(shape), params);
    return;
  }
  const [range] = await db.all(countOfRange(shape), { ...params, most: SLICE_SIZE + 1n });
  yield [];
  if (range && range.count > SLICE_SIZE) yield* walkAlongIds(db, shape, params);
  else yield db.all(pageOfSortedRange(shape), params);
}

/** Goes through all orders by id, whether they are asked for or not, until the page is full. */
async function* walkAlongIds(db: Connection, shape: Shape, params: PageParams): AsyncGenerator<Order[]> {
  const lastId = shape.descending ? -(2n ** 63n) : 2n ** 63n - 1n;
  let [from, position] = [shape, params];
  while (position.limit > 0n) {
    const [slice] = await db.all(endOfSlice(from), { ...position, sliceSize: SLICE_SIZE });
    const found = await db.all(pageOfSlice(from), { ...position, end: slice?.id ?? lastId });
    yield found;
    if (!slice) return;
    from = { ...shape, after: true };
    position = { ...params, afterId: slice.id, limit: position.limit - BigInt(found.length) };
  }
}

/** A page behind a date needs no bound before that date: a planner could begin at that bound. */
function shapeOf({ filter, sort, after }: OrderPageRequest): Shape {
  const by = sort.endsWith('shipDate') ? 'date' : 'id';
  const descending = sort.startsWith('-');
  const goesOnFromDate = by === 'date' && after !== undefined;
  return {
    statusCount: filter.statuses.length === orderStatuses.length ? 0 : filter.statuses.length,
    pet: filter.petId !== undefined,
    from: filter.from !== undefined && !(goesOnFromDate && !descending),
    to: filter.to !== undefined && !(goesOnFromDate && descending),
    by,
    descending,
    after: after !== undefined,
  };
}

type PageParams = ReturnType<typeof paramsOf>;

function paramsOf({ storeId, filter, after, limit }: OrderPageRequest) {
  return {
    storeId,
    petId: filter.petId ?? null,
    from: filter.from ?? null,
    to: filter.to ?? null,
    afterDate: after?.shipDate ?? null,
    afterId: after?.id ?? null,
    limit,
    ...Object.fromEntries(filter.statuses.map((status, i) => [`status${i}`, status])),
  };
}
