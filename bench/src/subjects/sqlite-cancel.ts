import { openForWriting } from './sqlite-writing.ts';

interface Cancelled {
  readonly pet_id: bigint;
  readonly quantity: bigint;
  readonly ship_date: bigint;
  readonly placed_at: bigint;
}

/** By how much the number of an order's state grows in its row's sum: from that of pending to that of cancelled. */
const STEP = 3;

/** Cancels groups of orders by the statements of the service, through the bare driver, each group in one commit. */
export function openForCancels(path: string, storeId: bigint): (group: readonly bigint[]) => void {
  const prepare = openForWriting(path);
  const begin = prepare('BEGIN IMMEDIATE');
  const commit = prepare('COMMIT');
  const counters = prepare('SELECT revision FROM stores WHERE id = ?');
  /** Given the time twice, the revision twice, the store and the order. */
  const cancel = prepare(
    `UPDATE OR FAIL orders SET status = 'cancelled', sum = sum + ? - updated_at + ? - revision + ${STEP},
      updated_at = ?, revision = ?
    WHERE store_id = ? AND id = ? AND status = 'pending' RETURNING pet_id, quantity, ship_date, placed_at`,
  );
  const record = prepare(
    `INSERT OR FAIL INTO changes (store_id, revision, order_id, at, type, pet_id, quantity, ship_date, placed_at)
    VALUES (?, ?, ?, ?, 'order.cancelled', ?, ?, ?, ?)`,
  );
  const giveBack = prepare(
    `UPDATE OR FAIL pets SET stock = stock + ?1, sum = sum + ?1 + ?2 - revision, revision = ?2
    WHERE store_id = ?3 AND id = ?4`,
  );
  const save = prepare('UPDATE OR FAIL stores SET revision = ? WHERE id = ?');

  return (group) => {
    const at = BigInt(Date.now());
    const units = new Map<bigint, bigint>();
    begin.run();
    let { revision } = counters.get(storeId) as { revision: bigint };
    for (const id of group) {
      revision++;
      const order = cancel.get(at, revision, at, revision, storeId, id) as unknown as Cancelled | undefined;
      if (!order) throw new Error(`order ${id} was not pending`);
      const { pet_id: pet, quantity } = order;
      record.run(storeId, revision, id, at, pet, quantity, order.ship_date, order.placed_at);
      units.set(pet, (units.get(pet) ?? 0n) + quantity);
    }
    for (const [pet, quantity] of units) giveBack.run(quantity, revision, storeId, pet);
    save.run(revision, storeId);
    commit.run();
  };
}
