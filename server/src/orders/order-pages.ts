import type { Connection } from '../database/query.ts';
import type { Position } from '../http/pages/paging.ts';
import { type OrderStatus, orderStatuses } from '../vocabulary.ts';
import type { Order } from './order.ts';
import {
  countOfRange,
  endOfSlice,
  type PageParams,
  pageAlongIndex,
  pageOfSlice,
  pageOfSortedRange,
  SLICE_SIZE,
} from './order-page-queries.ts';

export const orderSorts = ['id', '-id', 'shipDate', '-shipDate'] as const;

interface OrderPageRequest {
  readonly storeId: bigint;
  readonly statuses: readonly OrderStatus[];
  readonly petId?: bigint | undefined;
  readonly from?: bigint | undefined;
  readonly to?: bigint | undefined;
  readonly sort: (typeof orderSorts)[number];
  /** The ship date and the id of the order before the page. */
  readonly after: Position | undefined;
  readonly limit: bigint;
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

function paramsOf(request: OrderPageRequest): PageParams {
  const { storeId, statuses, petId, from, to, sort, after, limit } = request;
  const some = statuses.length < orderStatuses.length ? statuses : [];
  const [byDate, descending] = [sort.endsWith('shipDate'), sort.startsWith('-')];
  const [afterDate, afterId] = after ?? [];
  // A page that begins after a date has its bound: beside an earlier one, a planner may begin at that.
  const isAfterDate = byDate && after !== undefined;
  return {
    storeId,
    ...Object.fromEntries(some.map((status, i) => [`status${i}`, status])),
    petId,
    from: isAfterDate && !descending ? undefined : from,
    to: isAfterDate && descending ? undefined : to,
    byDate,
    descending,
    afterDate,
    afterId,
    limit,
  };
}
