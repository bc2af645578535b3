import type { Transaction } from '../changes/transaction.ts';
import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import { type OrderStatus, type Transition, transitions } from './states.ts';

export interface OrderChange {
  readonly storeId: bigint;
  readonly orderId: bigint;
  readonly at: bigint;
}

/** An order as every version of the interface knows it. */
export interface Order {
  id: bigint;
  pet_id: bigint;
  quantity: bigint;
  ship_date: bigint;
  status: OrderStatus;
  placed_at: bigint;
  updated_at: bigint;
}

export const orderColumns = [
  'id',
  'pet_id',
  'quantity',
  'ship_date',
  'status',
  'placed_at',
  'updated_at',
] as const;

interface Move {
  storeId: bigint;
  orderId: bigint;
  from: OrderStatus;
  to: OrderStatus;
  at: bigint;
  revision: bigint;
}

const move = query((db, p: Move) =>
  db
    .updateTable('orders')
    .set({ status: p.to, updated_at: p.at, revision: p.revision })
    .where('store_id', '=', p.storeId)
    .where('id', '=', p.orderId)
    .where('status', '=', p.from)
    .returning(orderColumns),
);

/** Shipping also turns the expected ship date into the actual one. */
const moveOnShipDate = query((db, p: Move) =>
  db
    .updateTable('orders')
    .set({ status: p.to, ship_date: p.at, updated_at: p.at, revision: p.revision })
    .where('store_id', '=', p.storeId)
    .where('id', '=', p.orderId)
    .where('status', '=', p.from)
    .returning(orderColumns),
);

const currentStatus = query((db, p: { storeId: bigint; orderId: bigint }) =>
  db.selectFrom('orders').select('status').where('store_id', '=', p.storeId).where('id', '=', p.orderId),
);

export const recordChange = query((db, p: { storeId: bigint; orderId: bigint; revision: bigint }) =>
  db.insertInto('order_changes').values({ store_id: p.storeId, revision: p.revision, order_id: p.orderId }),
);

/**
 * Moves an order along one transition. One conditional update decides: of two that race, the
 * second finds no row in the state it needs, and is refused.
 */
export async function changeStatus(
  tx: Transaction,
  transition: Transition,
  { storeId, orderId, at }: OrderChange,
): Promise<{ order: Order; revision: bigint }> {
  const { from, to } = transitions[transition];
  const store = tx.store(storeId);
  const revision = store.nextRevision();
  const statement = transition === 'ship' ? moveOnShipDate : move;
  const [order] = await tx.all(statement, { storeId, orderId, from, to, at, revision });
  if (!order) {
    const [found] = await tx.all(currentStatus, { storeId, orderId });
    throw new Refusal(found ? refusalFor(transition, found.status) : 'not_found');
  }
  store.changed = true;
  await tx.all(recordChange, { storeId, orderId, revision });
  return { order, revision };
}

function refusalFor(transition: Transition, status: OrderStatus) {
  if (transition !== 'cancel') return 'invalid_transition';
  return status === 'cancelled' ? 'order_already_cancelled' : 'order_already_shipped';
}
