import { verb } from '../writer/verb.ts';
import { changeStatus, type OrderChange } from './change-status.ts';

export const cancelOrder = verb('cancelOrder', (tx, change: OrderChange) =>
  changeStatus(tx, 'cancel', change),
);
