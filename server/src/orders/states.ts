import type { DomainErrorCode } from '../domain/domain-error.ts';
import { type EventType, type OrderStatus, orderStatuses } from '../domain/vocabulary.ts';

interface State {
  readonly event: Extract<EventType, `order.${string}`>;
  /** The column that holds when an order entered this state. `updated_at` only suits final states. */
  readonly since: 'placed_at' | 'ship_date' | 'updated_at';
  readonly isComplete: boolean;
  /** Whether the units of an order in this state are taken from stock. */
  readonly holdsUnits: boolean;
}

export const states: Readonly<Record<OrderStatus, State>> = {
  pending: { event: 'order.placed', since: 'placed_at', isComplete: false, holdsUnits: true },
  // Once an order has shipped, its ship date is the actual one.
  shipped: { event: 'order.shipped', since: 'ship_date', isComplete: false, holdsUnits: true },
  delivered: { event: 'order.delivered', since: 'updated_at', isComplete: true, holdsUnits: true },
  cancelled: { event: 'order.cancelled', since: 'updated_at', isComplete: false, holdsUnits: false },
};

interface TransitionRule {
  readonly from: OrderStatus;
  readonly to: OrderStatus;
  readonly domainError: DomainErrorCode;
  /** The error if the order is in state `to` already, if it differs. */
  readonly errorIfRepeated?: DomainErrorCode;
}

/** All transitions. At most one leads to each state. */
export const transitions = {
  ship: { from: 'pending', to: 'shipped', domainError: 'invalid_transition' },
  deliver: { from: 'shipped', to: 'delivered', domainError: 'invalid_transition' },
  cancel: {
    from: 'pending',
    to: 'cancelled',
    domainError: 'order_already_shipped',
    errorIfRepeated: 'order_already_cancelled',
  },
} as const satisfies Record<string, TransitionRule>;
export type Transition = keyof typeof transitions;

export function domainErrorFor(transition: Transition, status: OrderStatus): DomainErrorCode {
  const { to, domainError, errorIfRepeated = domainError }: TransitionRule = transitions[transition];
  return status === to ? errorIfRepeated : domainError;
}

export function domainErrorsOf(transition: Transition): DomainErrorCode[] {
  const others = orderStatuses.filter((status) => status !== transitions[transition].from);
  return [...new Set(others.map((status) => domainErrorFor(transition, status)))];
}

export function isFinal(status: OrderStatus): boolean {
  return Object.values(transitions).every(({ from }) => from !== status);
}

export function statesUpTo(status: OrderStatus): OrderStatus[] {
  const last = Object.values(transitions).find(({ to }) => to === status);
  return last ? [...statesUpTo(last.from), status] : [status];
}

/** An unknown status means a damaged database: an error is better than a wrong response. */
export function assertKnownStatus({ id, status }: { readonly id: bigint; readonly status: string }): void {
  if (!Object.hasOwn(states, status))
    throw new Error(`the database is damaged: order ${id} is ${JSON.stringify(status)}`);
}
