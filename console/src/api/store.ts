import type { OrderStatus } from '../../../client/src/index.ts';
import { client } from './client.ts';

export type { Order, OrderHistoryEntry, OrderStatus, Pet } from '../../../client/src/index.ts';

export const orderStatuses = [
  'pending',
  'shipped',
  'delivered',
  'cancelled',
] as const satisfies OrderStatus[];

export interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor: string | null;
}

export type Transition = 'ship' | 'deliver' | 'cancel';

/** The state that an order is in before each change, and after it. */
export const transitions = {
  ship: { from: 'pending', to: 'shipped' },
  deliver: { from: 'shipped', to: 'delivered' },
  cancel: { from: 'pending', to: 'cancelled' },
} as const satisfies Record<Transition, { from: OrderStatus; to: OrderStatus }>;

export async function changeOrder(id: bigint, transition: Transition): Promise<void> {
  await client.orders[transition](id);
}
