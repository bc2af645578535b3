import { verb } from '../writer/verb.ts';
import { changeStatus, type OrderChange } from './change-status.ts';

/** Ships a pending order: its ship date becomes the moment it shipped. */
export const shipOrder = verb('shipOrder', (tx, change: OrderChange) => changeStatus(tx, 'ship', change));
