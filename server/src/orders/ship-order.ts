import { verb } from '../writer/verb.ts';
import { changeStatus, type OrderChange } from './change-status.ts';
import type { Order } from './order.ts';
import { widenZoneOf } from './order-zones.ts';

/** Ships a pending order: its ship date becomes the moment it shipped. */
export const shipOrder = verb('shipOrder', async (tx, change: OrderChange): Promise<Order> => {
  const order = await changeStatus(tx, 'ship', change);
  await widenZoneOf(tx, change.storeId, order);
  return order;
});
