import { query } from '../database/query.ts';
import { orderColumns } from './order.ts';

export const findOrder = query((db, p: { storeId: bigint; orderId: bigint }) =>
  db.selectFrom('orders').select(orderColumns).where('store_id', '=', p.storeId).where('id', '=', p.orderId),
);
