import { verb } from '../writer/verb.ts';
import { changeStatus, type OrderChange } from './change-status.ts';

export const deliverOrder = verb('deliverOrder', (tx, change: OrderChange) =>
  changeStatus(tx, 'deliver', change),
);
