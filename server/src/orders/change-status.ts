import { type RawBuilder, sql } from 'kysely';
import { eachQuery } from '../database/each-query.ts';
import { recordOrderChange } from '../events/change-log.ts';
import { Refusal } from '../refusal.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { findOrder } from './find-order.ts';
import { type Order, orderColumns, readColumns } from './order.ts';
import { stateNumber } from './order-sum.ts';
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
  /** By how much the number of the state changes. */
  step: bigint;
  at: bigint;
  revision: bigint;
}

/** The clock may go back; the times of an order do not. */
const notBackFrom = (at: RawBuilder<bigint>) =>
  sql<bigint>`CASE WHEN orders.updated_at > ${at} THEN orders.updated_at ELSE ${at} END`;

type Moved = Order & { revision: bigint };

const moveTo = (isShipping: boolean) =>
  eachQuery<Move, Moved>(
    {
      storeId: 'bigint',
      orderId: 'bigint',
      from: 'text',
      to: 'text',
      step: 'bigint',
      at: 'bigint',
      revision: 'bigint',
    },
    ({ storeId, orderId, from, to, step, at, revision }, source) => {
      const moment = notBackFrom(at);
      // The sum changes by what the row does: one that did not fit before does not fit after it, either.
      const more = sql`${revision} - orders.revision + ${moment} - orders.updated_at + ${step}`;
      const shipDate = isShipping ? sql`, ship_date = ${moment}` : sql``;
      const later = isShipping ? sql` + ${moment} - orders.ship_date` : sql``;
      return sql`
        UPDATE orders SET status = ${to}, updated_at = ${moment}, revision = ${revision}${shipDate},
          sum = orders.sum + ${more}${later}
        ${source.from}
        WHERE store_id = ${storeId} AND id = ${orderId} AND status = ${from}`;
    },
    readColumns([...orderColumns, 'revision']) as RawBuilder<Moved>,
  );

const move = moveTo(false);
/** Shipping also turns the expected ship date into the actual one. */
const moveOnShipDate = moveTo(true);

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
    step: stateNumber(to) - stateNumber(from),
    at,
    revision: store.nextRevision(),
  }));
  if (!moved) {
    const [found] = await tx.all(findOrder, { storeId, orderId });
    if (found) requireKnownStatus(found);
    throw new Refusal(refusalFor(transition, found?.status));
  }
  requireKnownStatus(moved);
  recordOrderChange(store, moved, moved.revision);
  return moved;
}

function refusalFor(transition: Transition, status: OrderStatus | undefined) {
  // Nothing becomes pending but by being placed: one that was not pending and is now, was not there before.
  const wasPlacedSince = status === 'pending' && transitions[transition].from === status;
  if (status === undefined || wasPlacedSince) return 'not_found';
  if (transition !== 'cancel') return 'invalid_transition';
  return status === 'cancelled' ? 'order_already_cancelled' : 'order_already_shipped';
}
