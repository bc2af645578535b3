import { client } from './client.ts';
import type { transitions } from './contract.generated.ts';

export type { Order, OrderHistoryEntry, OrderStatus, Pet } from '../../../client/src/index.ts';
export { orderStatuses, transitions } from './contract.generated.ts';

export interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor: string | null;
}

export type Transition = keyof typeof transitions;

export async function changeOrder(id: bigint, transition: Transition): Promise<void> {
  await client.orders[transition](id);
}
