import type { Transaction } from '../changes/transaction.ts';
import { query } from '../database/query.ts';
import { changeStatus, type OrderChange } from './change-status.ts';

const giveBack = query((db, p: { storeId: bigint; petId: bigint; quantity: bigint; revision: bigint }) =>
  db
    .updateTable('pets')
    .set((eb) => ({ stock: eb('stock', '+', p.quantity), revision: p.revision }))
    .where('store_id', '=', p.storeId)
    .where('id', '=', p.petId),
);

/** Cancels a pending order and gives its units back to the pet's stock. */
export async function cancelOrder(tx: Transaction, change: OrderChange): Promise<void> {
  const { order, revision } = await changeStatus(tx, 'cancel', change);
  await tx.all(giveBack, {
    storeId: change.storeId,
    petId: order.pet_id,
    quantity: order.quantity,
    revision,
  });
}
