import type { Transaction } from '../transaction/transaction.ts';
import { changeStatus, type OrderChange } from './change-status.ts';
import type { Order } from './order.ts';
import { widenZoneOf } from './order-zones.ts';

/** Ships a pending order: its ship date becomes the moment it shipped. */
export async function shipOrder(tx: Transaction, change: OrderChange): Promise<Order> {
  const order = await changeStatus(tx, 'ship', change);
  widenZoneOf(tx.store(change.storeId), order);
  return order;
}
