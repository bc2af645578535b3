import { query, valuesOf } from '../database/query.ts';
import { type EventType, orderStatuses } from '../vocabulary.ts';
import type { Transaction } from '../writer/transaction.ts';
import { type Order, recordedColumns } from './order.ts';
import { states } from './states.ts';

export async function recordOrderChange(
  tx: Transaction,
  { storeId, revision, order }: { storeId: bigint; revision: bigint; order: Order },
): Promise<void> {
  const { traceparent } = tx;
  const type = states[order.status].event;
  await tx.all(insertOrderChange, { storeId, revision, type, traceparent, ...order });
}

type Entry = Order & { storeId: bigint; revision: bigint; type: EventType; traceparent: string | null };

const insertOrderChange = query((db, p: Entry) =>
  db.insertInto('changes').values({
    store_id: p.storeId,
    revision: p.revision,
    at: p.updated_at,
    type: p.type,
    order_id: p.id,
    traceparent: p.traceparent,
    ...valuesOf(p, recordedColumns),
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
