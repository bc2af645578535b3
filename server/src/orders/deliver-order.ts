import type { Transaction } from '../changes/transaction.ts';
import { changeStatus, type Order, type OrderChange } from './change-status.ts';

/** Delivers a shipped order, which completes it. */
export async function deliverOrder(tx: Transaction, change: OrderChange): Promise<Order> {
  return changeStatus(tx, 'deliver', change);
}
