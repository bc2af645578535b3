import type { Connection } from '../database/engine.ts';
import type { Order } from './order.ts';
import { isLong, pageOf, type Shape } from './order-page-queries.ts';
import { zoneOfId } from './order-zones.ts';
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
interface Position {
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
 * A range of dates with more orders than so many pages is not sorted to be shown by id: its ids are followed instead,
 * which finds a page among twenty times fewer than all ids, even if dates have nothing to do with them.
 */
const MOST_PAGES_SORTED = 20n;

/** One page of orders. */
export async function orderPage(db: Connection, request: PageRequest): Promise<Order[]> {
  const { filter, sort, after } = request;
  const shape: Shape = {
    states: filter.statuses.length === orderStatuses.length ? 0 : filter.statuses.length,
    pet: filter.petId !== undefined,
    from: filter.from !== undefined,
    to: filter.to !== undefined,
    by: sort.endsWith('shipDate') ? 'date' : 'id',
    descending: sort.startsWith('-'),
    after: after !== undefined,
  };
  const params = {
    storeId: request.storeId,
    petId: filter.petId ?? null,
    from: filter.from ?? null,
    to: filter.to ?? null,
    afterDate: after?.shipDate ?? null,
    afterId: after?.id ?? null,
    afterZone: after === undefined ? null : zoneOfId(after.id),
    limit: request.limit,
    most: MOST_PAGES_SORTED * request.limit,
    ...Object.fromEntries(filter.statuses.map((status, i) => [`status${i}`, status])),
  };
  const isDatesById = shape.by === 'id' && (shape.from || shape.to);
  if (!isDatesById) return db.all(pageOf(shape, 'index'), params);
  const [range] = await db.all(isLong(shape), params);
  return db.all(pageOf(shape, range?.isLong ? 'zones' : 'sorting'), params);
}
