import { query } from '../database/query.ts';
import { Refusal, type RefusalCode } from '../refusal.ts';
import type { Transaction } from '../writer/transaction.ts';
import { findOrder } from './find-order.ts';
import type { Order } from './order.ts';
import { countOrder } from './order-counts.ts';
import { recordOrderChange } from './record-order-change.ts';
import { requireKnownStatus, type Transition, transitions } from './states.ts';

export interface OrderChange {
  readonly storeId: bigint;
  readonly orderId: bigint;
  readonly at: bigint;
}

/** Moves an order along one transition. Of two that race for it, the second finds it in another state, and is refused. */
export async function changeStatus(
  tx: Transaction,
  transition: Transition,
  { storeId, orderId, at }: OrderChange,
): Promise<Order> {
  const store = await tx.lockStore(storeId);
  const before = await findOrder(tx, { storeId, orderId });
  if (before?.status !== transitions[transition].from) throw new Refusal(refusalFor(transition, before));

  // The clock may go back; the times of an order do not.
  const updatedAt = before.updated_at > at ? before.updated_at : at;
  const now: Order = { ...before, status: transitions[transition].to, updated_at: updatedAt };
  // Shipping turns the expected ship date into the actual one.
  if (transition === 'ship') now.ship_date = updatedAt;
  const revision = ++store.revision;
  await Promise.all([
    tx.all(updateOrder, { ...now, storeId, revision }),
    recordOrderChange(tx, { storeId, revision, order: now }),
    countOrder(tx, storeId, { before, now }),
  ]);
  return now;
}

function refusalFor(transition: Transition, order: Order | undefined): RefusalCode {
  if (!order) return 'not_found';
  requireKnownStatus(order);
  if (transition !== 'cancel') return 'invalid_transition';
  return order.status === 'cancelled' ? 'order_already_cancelled' : 'order_already_shipped';
}

const updateOrder = query((db, p: Order & { storeId: bigint; revision: bigint }) =>
  db
    .updateTable('orders')
    .set({ status: p.status, ship_date: p.ship_date, updated_at: p.updated_at, revision: p.revision })
    .where('store_id', '=', p.storeId)
    .where('id', '=', p.id),
);
