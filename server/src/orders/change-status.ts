import { sql } from 'kysely';
import { query } from '../database/query.ts';
import { recordOrderChange } from '../events/change-log.ts';
import { Refusal, type RefusalCode } from '../refusal.ts';
import type { Transaction } from '../writer/transaction.ts';
import { findOrder } from './find-order.ts';
import { type Order, orderColumns } from './order.ts';
import { type OrderStatus, requireKnownStatus, type Transition, transitions } from './states.ts';

export interface OrderChange {
  readonly storeId: bigint;
  readonly orderId: bigint;
  readonly at: bigint;
}

/**
 * Moves an order along one transition. One conditional update decides: of two that race, one finds no row in the state
 * it needs, and is refused.
 */
export async function changeStatus(
  tx: Transaction,
  transition: Transition,
  { storeId, orderId, at }: OrderChange,
): Promise<Order> {
  const { from, to } = transitions[transition];
  const store = await tx.lockStore(storeId);
  const revision = store.revision + 1n;
  const move = transition === 'ship' ? moveOnShipDate : moveTo;
  const [order] = await tx.all(move, { storeId, orderId, from, to, at, revision });
  if (!order) {
    const [found] = await tx.all(findOrder, { storeId, orderId });
    if (found) requireKnownStatus(found);
    throw new Refusal(refusalFor(transition, found?.status));
  }
  store.revision = revision;
  await recordOrderChange(tx, { storeId, revision, order });
  return order;
}

function refusalFor(transition: Transition, status: OrderStatus | undefined): RefusalCode {
  if (status === undefined) return 'not_found';
  if (transition !== 'cancel') return 'invalid_transition';
  return status === 'cancelled' ? 'order_already_cancelled' : 'order_already_shipped';
}

interface Move {
  storeId: bigint;
  orderId: bigint;
  from: OrderStatus;
  to: OrderStatus;
  at: bigint;
  revision: bigint;
}

/** The clock may go back; the times of an order do not. */
const notBackFrom = (at: bigint) =>
  sql<bigint>`CASE WHEN updated_at > ${at} THEN updated_at ELSE CAST(${at} AS bigint) END`;

const moveTo = query((db, p: Move) =>
  db
    .updateTable('orders')
    .set({ status: p.to, updated_at: notBackFrom(p.at), revision: p.revision })
    .where('store_id', '=', p.storeId)
    .where('id', '=', p.orderId)
    .where('status', '=', p.from)
    .returning(orderColumns),
);

/** Shipping also turns the expected ship date into the actual one. */
const moveOnShipDate = query((db, p: Move) =>
  db
    .updateTable('orders')
    .set({
      status: p.to,
      updated_at: notBackFrom(p.at),
      ship_date: notBackFrom(p.at),
      revision: p.revision,
    })
    .where('store_id', '=', p.storeId)
    .where('id', '=', p.orderId)
    .where('status', '=', p.from)
    .returning(orderColumns),
);
