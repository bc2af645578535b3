import { type OrderStatus, orderStatuses } from '../../src/domain/vocabulary.ts';
import type { Order } from '../support/v2.ts';

/** Parameters of the list of orders. */
export interface OrderQuery {
  readonly status?: readonly OrderStatus[] | undefined;
  readonly petId?: bigint | undefined;
  readonly complete?: boolean | undefined;
  readonly shipDateFrom?: string | undefined;
  readonly shipDateTo?: string | undefined;
  readonly sort?: 'id' | '-id' | 'shipDate' | '-shipDate' | undefined;
}

export const sorts = ['id', '-id', 'shipDate', '-shipDate'] as const;

/** Reference implementation of the list: filters all orders one by one, then sorts them. */
export function selected(orders: readonly Order[], query: OrderQuery): Order[] {
  const { status = orderStatuses, petId, complete, shipDateFrom, shipDateTo, sort = 'id' } = query;
  const time = (text: string) => Date.parse(text);
  const matching = orders.filter(
    (order) =>
      status.includes(order.status) &&
      (petId === undefined || order.petId === petId) &&
      (complete === undefined || order.complete === complete) &&
      (shipDateFrom === undefined || time(order.shipDate) >= time(shipDateFrom)) &&
      (shipDateTo === undefined || time(order.shipDate) < time(shipDateTo)),
  );
  const byId = (a: Order, b: Order) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  const byDate = (a: Order, b: Order) => time(a.shipDate) - time(b.shipDate) || byId(a, b);
  const ascending = matching.sort(sort.endsWith('shipDate') ? byDate : byId);
  return sort.startsWith('-') ? ascending.reverse() : ascending;
}

export function parametersOf({ status, petId, complete, ...rest }: OrderQuery): Record<string, string> {
  const given = Object.entries({
    status: status?.join(','),
    petId: petId?.toString(),
    complete: complete?.toString(),
    ...rest,
  });
  return Object.fromEntries(given.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
