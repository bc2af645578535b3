import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import { type Order, orderColumns } from './order.ts';

export async function findOrder(
  db: Connection,
  which: { storeId: bigint; orderId: bigint },
): Promise<Order | undefined> {
  const [order] = await db.all(readOrder, which);
  return order;
}

const readOrder = query((db, p: { storeId: bigint; orderId: bigint }) =>
  db.selectFrom('orders').select(orderColumns).where('store_id', '=', p.storeId).where('id', '=', p.orderId),
);
