import type { DomainErrorCode } from '../domain/domain-error.ts';
import { type EventType, type OrderStatus, orderStatuses } from '../domain/vocabulary.ts';

interface State {
  readonly event: Extract<EventType, `order.${string}`>;
  /** The column that is set when an order enters this state. Every change sets `updated_at`: only final states use it. */
  readonly since: 'placed_at' | 'ship_date' | 'updated_at';
  readonly isComplete: boolean;
  /** The units of an order in this state are out of the stock. */
  readonly holdsUnits: boolean;
}

export const states: Readonly<Record<OrderStatus, State>> = {
  pending: { event: 'order.placed', since: 'placed_at', isComplete: false, holdsUnits: true },
  // From shipping on, the ship date is the actual one.
  shipped: { event: 'order.shipped', since: 'ship_date', isComplete: false, holdsUnits: true },
  delivered: { event: 'order.delivered', since: 'updated_at', isComplete: true, holdsUnits: true },
  cancelled: { event: 'order.cancelled', since: 'updated_at', isComplete: false, holdsUnits: false },
};

interface TransitionRule {
  readonly from: OrderStatus;
  readonly to: OrderStatus;
  readonly domainError: DomainErrorCode;
  /** The refusal of an order that is in the state `to` already, if it is another one. */
  readonly refusalAgain?: DomainErrorCode;
}

/** Every change from one state to another that can happen. At most one leads to each state. */
export const transitions = {
  ship: { from: 'pending', to: 'shipped', domainError: 'invalid_transition' },
  deliver: { from: 'shipped', to: 'delivered', domainError: 'invalid_transition' },
  cancel: {
    from: 'pending',
    to: 'cancelled',
    domainError: 'order_already_shipped',
    refusalAgain: 'order_already_cancelled',
  },
} as const satisfies Record<string, TransitionRule>;
export type Transition = keyof typeof transitions;

export function domainErrorFor(transition: Transition, status: OrderStatus): DomainErrorCode {
  const { to, domainError, refusalAgain = domainError }: TransitionRule = transitions[transition];
  return status === to ? refusalAgain : domainError;
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

/** Rather no answer than a wrong one: a state that does not exist can only come from a database that is damaged. */
export function assertKnownStatus({ id, status }: { readonly id: bigint; readonly status: string }): void {
  if (!Object.hasOwn(states, status))
    throw new Error(`the database is damaged: order ${id} is ${JSON.stringify(status)}`);
}
