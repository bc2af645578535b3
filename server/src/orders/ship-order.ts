import type { Transaction } from '../changes/transaction.ts';
import { changeStatus, type Order, type OrderChange } from './change-status.ts';
import { widenZone, zoneOf } from './order-zones.ts';

/** Ships a pending order: its ship date becomes the moment it shipped. */
export async function shipOrder(tx: Transaction, change: OrderChange): Promise<Order> {
  const order = await changeStatus(tx, 'ship', change);
  await tx.all(widenZone, zoneOf(change.storeId, order));
  return order;
}
