import { giveBackStock } from '../pets/stock.ts';
import { verb } from '../writer/verb.ts';
import { changeStatus, type OrderChange } from './change-status.ts';

/** Cancels a pending order and gives its units back to the pet's stock. */
export const cancelOrder = verb('cancelOrder', async (tx, change: OrderChange): Promise<void> => {
  const { pet_id: petId, quantity: units } = await changeStatus(tx, 'cancel', change);
  const { storeId } = change;
  const { revision } = await tx.lockStore(storeId);
  await giveBackStock(tx, { storeId, petId, units, revision });
});
