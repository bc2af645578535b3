import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import type { EventType, OrderStatus } from '../vocabulary.ts';
import type { Order } from './order.ts';

/** What brings an order into each state is told by an event of its own. */
export const orderEvents = {
  pending: 'order.placed',
  shipped: 'order.shipped',
  delivered: 'order.delivered',
  cancelled: 'order.cancelled',
} as const satisfies Record<OrderStatus, EventType>;

/** Appends to the log that this revision of the store made the order what it is now. */
export async function recordOrderChange(
  connection: Connection,
  { storeId, revision, order }: { storeId: bigint; revision: bigint; order: Order },
): Promise<void> {
  await connection.all(insertOrderChange, { storeId, revision, type: orderEvents[order.status], ...order });
}

const insertOrderChange = query((db, p: Order & { storeId: bigint; revision: bigint; type: EventType }) =>
  db.insertInto('changes').values({
    store_id: p.storeId,
    revision: p.revision,
    at: p.updated_at,
    type: p.type,
    order_id: p.id,
    pet_id: p.pet_id,
    quantity: p.quantity,
    ship_date: p.ship_date,
    placed_at: p.placed_at,
  }),
);
