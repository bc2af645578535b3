import { verb } from '../writer/verb.ts';
import { changeStatus, type OrderChange } from './change-status.ts';

export const shipOrder = verb('shipOrder', (tx, change: OrderChange) => changeStatus(tx, 'ship', change));
