import type { Transaction } from '../transaction/transaction.ts';
import { changeStatus, type OrderChange } from './change-status.ts';
import type { Order } from './order.ts';

/** Ships a pending order: its ship date becomes the moment it shipped. */
export async function shipOrder(tx: Transaction, change: OrderChange): Promise<Order> {
  const order = await changeStatus(tx, 'ship', change);
  tx.store(change.storeId).hasNewShipDate(order);
  return order;
}
