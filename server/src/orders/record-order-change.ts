import { query, valuesOf } from '../database/query.ts';
import { type EventType, orderStatuses } from '../vocabulary.ts';
import type { Transaction } from '../writer/transaction.ts';
import { type Order, recordedColumns } from './order.ts';
import { states } from './states.ts';

type Change = { storeId: bigint; revision: bigint };

export async function recordOrderChange(tx: Transaction, order: Order, change: Change): Promise<void> {
  const { event: type } = states[order.status];
  await tx.all(insertOrderChange, { ...change, ...order, type, traceparent: tx.traceparent });
}

type Entry = Order & Change & { type: EventType; traceparent: string | null };

const insertOrderChange = query((db, p: Entry) =>
  db.insertInto('changes').values({
    store_id: p.storeId,
    order_id: p.id,
    at: p.updated_at,
    ...valuesOf(p, ['revision', 'type', 'traceparent', ...recordedColumns]),
  }),
);

type Recorded = { readonly [K in (typeof recordedColumns)[number]]: Order[K] | null };

export function recordedOrder(
  entry: Recorded & { type: EventType; at: bigint; order_id: bigint | null },
): Order | undefined {
  const status = orderStatuses.find((one) => states[one].event === entry.type);
  if (!status) return undefined;
  return { id: entry.order_id, ...valuesOf(entry, recordedColumns), status, updated_at: entry.at } as Order;
}
