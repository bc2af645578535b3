import { giveBackStock } from '../pets/give-back-stock.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { changeStatus, type OrderChange } from './change-status.ts';

/** Cancels a pending order and gives its units back to the pet's stock. */
export async function cancelOrder(tx: Transaction, change: OrderChange): Promise<void> {
  const { pet_id, quantity } = await changeStatus(tx, 'cancel', change);
  giveBackStock(tx.store(change.storeId), pet_id, quantity);
}
