import { verb } from '../writer/verb.ts';
import { changeStatus, type OrderChange } from './change-status.ts';

/** Cancels a pending order, whose units go back to the pet's stock. */
export const cancelOrder = verb('cancelOrder', (tx, change: OrderChange) =>
  changeStatus(tx, 'cancel', change),
);
