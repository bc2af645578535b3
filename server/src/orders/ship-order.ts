import type { Transaction } from '../changes/transaction.ts';
import { changeStatus, type Order, type OrderChange } from './change-status.ts';

/** Ships a pending order: its ship date becomes the moment it shipped. */
export async function shipOrder(tx: Transaction, change: OrderChange): Promise<Order> {
  const order = await changeStatus(tx, 'ship', change);
  tx.store(change.storeId).hasNewShipDate(order);
  return order;
}
