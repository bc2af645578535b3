import type { Order } from './order.ts';
import { type OrderStatus, requireKnownStatus, transitions } from './states.ts';

export interface Moment {
  readonly status: OrderStatus;
  readonly at: bigint;
}

/** Every state the order was in, oldest first. Only one way leads to each state, and the order's own dates tell when. */
export function historyOf(order: Order): Moment[] {
  requireKnownStatus(order);
  const moments: Moment[] = [];
  for (let status: OrderStatus | undefined = order.status; status; status = stateBefore(status)) {
    moments.unshift({ status, at: momentOf(status, order) });
  }
  return moments;
}

function stateBefore(status: OrderStatus): OrderStatus | undefined {
  return Object.values(transitions).find(({ to }) => to === status)?.from;
}

function momentOf(status: OrderStatus, order: Order): bigint {
  if (status === 'pending') return order.placed_at;
  // From shipping on, the ship date is the moment it shipped.
  return status === 'shipped' ? order.ship_date : order.updated_at;
}
