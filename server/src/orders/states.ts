import { type OrderStatus, orderStatuses } from '../vocabulary.ts';

/** Whether an order in that state has been fulfilled. */
export function isComplete(status: OrderStatus): boolean {
  return status === 'delivered';
}

/** Every way from one state to another. What is not here cannot happen. */
export const transitions = {
  ship: { from: 'pending', to: 'shipped' },
  deliver: { from: 'shipped', to: 'delivered' },
  cancel: { from: 'pending', to: 'cancelled' },
} as const satisfies Record<string, { from: OrderStatus; to: OrderStatus }>;
export type Transition = keyof typeof transitions;

const known: ReadonlySet<string> = new Set(orderStatuses);

/** Rather no answer than a wrong one: a state that does not exist can only come from a database that is damaged. */
export function requireKnownStatus({ id, status }: { readonly id: bigint; readonly status: string }): void {
  if (!known.has(status))
    throw new Error(`the database is damaged: order ${id} is ${JSON.stringify(status)}`);
}
