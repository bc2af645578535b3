import { updateRows } from '../database/rows.ts';
import { DomainError } from '../domain/domain-error.ts';
import { adjustStock } from '../pets/pet.ts';
import { type Transaction, verb } from '../writer/verb.ts';
import { findOrder, type Order, recordOrderChange } from './order.ts';
import { updateCounts } from './order-counts.ts';
import { assertKnownStatus, domainErrorFor, states, type Transition, transitions } from './states.ts';

export type OrderChange = { storeId: bigint; orderId: bigint; at: bigint };

export const shipOrder = verb('shipOrder', (tx, change: OrderChange) => changeStatus(tx, 'ship', change));
export const deliverOrder = verb('deliverOrder', (tx, change: OrderChange) =>
  changeStatus(tx, 'deliver', change),
);
export const cancelOrder = verb('cancelOrder', (tx, change: OrderChange) =>
  changeStatus(tx, 'cancel', change),
);

/** If two transitions race, the second finds the order in another state and is rejected. */
async function changeStatus(tx: Transaction, transition: Transition, { storeId, orderId, at }: OrderChange) {
  const store = await tx.lockStore(storeId);
  const { from, to } = transitions[transition];
  const [before] = await tx.all(findOrder, { storeId, orderId });
  if (!before) throw new DomainError('not_found');
  assertKnownStatus(before);
  if (before.status !== from) throw new DomainError(domainErrorFor(transition, before.status));

  // The clock may go back; an order's times never do.
  const updatedAt = before.updated_at > at ? before.updated_at : at;
  const changes = { status: to, updated_at: updatedAt, [states[to].since]: updatedAt };
  const now: Order = { ...before, ...changes };
  const revision = ++store.revision;
  const restock = { storeId, petId: now.pet_id, by: now.quantity, revision };
  await Promise.all([
    updateRows(tx, 'orders', { store_id: storeId, id: orderId }, { ...changes, revision }),
    recordOrderChange(tx, now, { store_id: storeId, revision }),
    updateCounts(tx, storeId, { before, now }),
    ...(states[from].holdsUnits && !states[to].holdsUnits ? [tx.all(adjustStock, restock)] : []),
  ]);
  return now;
}
