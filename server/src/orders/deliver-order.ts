import { verb } from '../writer/verb.ts';
import { changeStatus, type OrderChange } from './change-status.ts';

/** Delivers a shipped order, which completes it. */
export const deliverOrder = verb('deliverOrder', (tx, change: OrderChange) =>
  changeStatus(tx, 'deliver', change),
);
