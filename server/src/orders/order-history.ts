import type { OrderStatus } from '../vocabulary.ts';
import type { Order } from './order.ts';
import { requireKnownStatus, states, wayTo } from './states.ts';

export interface StateEntry {
  readonly status: OrderStatus;
  readonly at: bigint;
}

/** Every state the order was in, oldest first. Only one way leads to each state, and the order's own dates tell when. */
export function historyOf(order: Order): StateEntry[] {
  requireKnownStatus(order);
  return wayTo(order.status).map((status) => ({ status, at: order[states[status].since] }));
}
