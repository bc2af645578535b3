import type { Operation } from './linearizable.ts';

/** One order as a register: what the checker follows through a history. */
export type OrderState = 'absent' | 'pending' | 'shipped' | 'delivered' | 'cancelled';

type Step = Operation<OrderState>['step'];

const sees =
  (...states: OrderState[]): Step =>
  (state) =>
    states.includes(state) ? state : undefined;
const moves =
  (from: OrderState, to: OrderState): Step =>
  (state) =>
    state === from ? to : undefined;

const exists = sees('pending', 'shipped', 'delivered', 'cancelled');

/** The effect that each response implies; an unlisted response is wrong. */
const meanings = {
  'v1 cancel': {
    '204': moves('pending', 'cancelled'),
    '404 not_found': sees('absent', 'cancelled'),
    '409 order_already_shipped': sees('shipped', 'delivered'),
  },
  'v2 cancel': {
    '204': moves('pending', 'cancelled'),
    '404 not_found': sees('absent'),
    '409 order_already_shipped': sees('shipped', 'delivered'),
    '409 order_already_cancelled': sees('cancelled'),
  },
  ship: {
    '200': moves('pending', 'shipped'),
    '404 not_found': sees('absent'),
    '409 invalid_transition': sees('shipped', 'delivered', 'cancelled'),
  },
  deliver: {
    '200': moves('shipped', 'delivered'),
    '404 not_found': sees('absent'),
    '409 invalid_transition': sees('pending', 'delivered', 'cancelled'),
  },
  place: {
    '201': moves('absent', 'pending'),
    '201 replayed': exists,
  },
  get: {
    '200 pending': sees('pending'),
    '200 shipped': sees('shipped'),
    '200 delivered': sees('delivered'),
    '200 cancelled': sees('cancelled'),
    '404 not_found': sees('absent'),
  },
  'v1 list': {
    missing: sees('absent', 'cancelled'),
    'not complete': sees('pending', 'shipped'),
    complete: sees('delivered'),
  },
} as const satisfies Record<string, Record<string, Step>>;

export type RequestKind = keyof typeof meanings;

/** The effect of a request without a response, if it has one. Reads without a response say nothing. */
const effects: Partial<Record<RequestKind, Step>> = {
  'v1 cancel': meanings['v1 cancel']['204'],
  'v2 cancel': meanings['v2 cancel']['204'],
  ship: meanings.ship['200'],
  deliver: meanings.deliver['200'],
  place: meanings.place['201'],
};

export interface Seen {
  readonly kind: RequestKind;
  readonly start: number;
  readonly end: number;
  /** Undefined when the outcome is unknown. */
  readonly response: string | undefined;
}

/** A request as an operation on the register; undefined if it is unrelated. */
export function operationOf({ kind, start, end, response }: Seen): Operation<OrderState> | undefined {
  const step = response === undefined ? effects[kind] : (meanings[kind] as Record<string, Step>)[response];
  if (!step && response !== undefined) throw new Error(`'${response}' is not a response to '${kind}'`);
  return (
    step && {
      label: `${kind}: ${response ?? 'unknown'}`,
      start,
      end: response === undefined ? Number.POSITIVE_INFINITY : end,
      step,
    }
  );
}
