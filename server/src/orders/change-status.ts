import { type RawBuilder, sql } from 'kysely';
import { eachQuery } from '../database/each-query.ts';
import { query } from '../database/query.ts';
import { recordOrderChange } from '../events/change-log.ts';
import { Refusal } from '../refusal.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { type Order, orderColumns } from './order.ts';
import { type OrderStatus, requireKnownStatus, type Transition, transitions } from './states.ts';

export interface OrderChange {
  readonly storeId: bigint;
  readonly orderId: bigint;
  readonly at: bigint;
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
const notBackFrom = (at: RawBuilder<bigint>) =>
  sql<bigint>`CASE WHEN orders.updated_at > ${at} THEN orders.updated_at ELSE ${at} END`;

const moveTo = (also: (at: RawBuilder<bigint>) => RawBuilder<unknown>) =>
  eachQuery<Move, Order & { revision: bigint }>(
    { storeId: 'bigint', orderId: 'bigint', from: 'text', to: 'text', at: 'bigint', revision: 'bigint' },
    ({ storeId, orderId, from, to, at, revision }, rows) => sql`
      UPDATE orders SET status = ${to}, updated_at = ${notBackFrom(at)}, revision = ${revision}${also(notBackFrom(at))}
      ${rows}
      WHERE store_id = ${storeId} AND id = ${orderId} AND status = ${from}`,
    sql.join([...orderColumns, 'revision'].map((column) => sql.ref(`orders.${column}`))),
  );

const move = moveTo(() => sql``);
/** Shipping also turns the expected ship date into the actual one. */
const moveOnShipDate = moveTo((at) => sql`, ship_date = ${at}`);

const currentStatus = query((db, p: { storeId: bigint; orderId: bigint }) =>
  db.selectFrom('orders').select('status').where('store_id', '=', p.storeId).where('id', '=', p.orderId),
);

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
  const store = tx.store(storeId);
  const statement = transition === 'ship' ? moveOnShipDate : move;
  const moved = await tx.each(statement, () => ({
    storeId,
    orderId,
    from,
    to,
    at,
    revision: store.nextRevision(),
  }));
  if (!moved) {
    const [found] = await tx.all(currentStatus, { storeId, orderId });
    if (found) requireKnownStatus({ id: orderId, status: found.status });
    throw new Refusal(refusalFor(transition, found?.status));
  }
  const { revision, ...order } = moved;
  recordOrderChange(store, order, revision);
  return order;
}

function refusalFor(transition: Transition, status: OrderStatus | undefined) {
  // Nothing becomes pending but by being placed: one that was not pending and is now, was not there before.
  const wasPlacedSince = status === 'pending' && transitions[transition].from === status;
  if (status === undefined || wasPlacedSince) return 'not_found';
  if (transition !== 'cancel') return 'invalid_transition';
  return status === 'cancelled' ? 'order_already_cancelled' : 'order_already_shipped';
}
