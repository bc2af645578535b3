import { valuesOf } from '../database/query.ts';
import { insertRow } from '../database/rows.ts';
import { type EventType, orderStatuses } from '../vocabulary.ts';
import type { Transaction } from '../writer/transaction.ts';
import { type Order, recordedColumns } from './order.ts';
import { states } from './states.ts';

type Change = { store_id: bigint; revision: bigint };

export async function recordOrderChange(tx: Transaction, order: Order, change: Change): Promise<void> {
  const { id: order_id, status, updated_at: at, ...recorded } = order;
  const { event: type } = states[status];
  await insertRow(tx, 'changes', { ...change, type, at, order_id, ...recorded, traceparent: tx.traceparent });
}

type Recorded = { readonly [K in (typeof recordedColumns)[number]]: Order[K] | null };

export function recordedOrder(
  entry: Recorded & { type: EventType; at: bigint; order_id: bigint | null },
): Order | undefined {
  const status = orderStatuses.find((one) => states[one].event === entry.type);
  if (!status) return undefined;
  return { id: entry.order_id, ...valuesOf(entry, recordedColumns), status, updated_at: entry.at } as Order;
}
