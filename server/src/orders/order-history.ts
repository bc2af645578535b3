import type { OrderStatus } from '../vocabulary.ts';
import type { Order } from './order.ts';
import { requireKnownStatus, transitions } from './states.ts';

export interface Moment {
  readonly status: OrderStatus;
  readonly at: bigint;
}

/** Every state the order was in, oldest first. Only one way leads to each state, and the order's own dates tell when. */
export function historyOf(order: Order): Moment[] {
  requireKnownStatus(order);
  const moments: Moment[] = [];
  for (let status: OrderStatus | undefined = order.status; status; status = stateBefore(status)) {
    moments.unshift({ status, at: dateOf[status](order) });
  }
  return moments;
}

function stateBefore(status: OrderStatus): OrderStatus | undefined {
  return Object.values(transitions).find(({ to }) => to === status)?.from;
}

/** Which of an order's dates tells when it came into a state. */
const dateOf: Record<OrderStatus, (order: Order) => bigint> = {
  pending: ({ placed_at }) => placed_at,
  // From shipping on, the ship date is the moment it shipped.
  shipped: ({ ship_date }) => ship_date,
  delivered: ({ updated_at }) => updated_at,
  cancelled: ({ updated_at }) => updated_at,
};
