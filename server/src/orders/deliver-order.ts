import type { Transaction } from '../transaction/transaction.ts';
import { changeStatus, type OrderChange } from './change-status.ts';
import type { Order } from './order.ts';

/** Delivers a shipped order, which completes it. */
export async function deliverOrder(tx: Transaction, change: OrderChange): Promise<Order> {
  return changeStatus(tx, 'deliver', change);
}
