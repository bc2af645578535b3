import { openForWriting } from './sqlite-writing.ts';

export interface Cancelled {
  readonly pet_id: bigint;
  readonly quantity: bigint;
  readonly ship_date: bigint;
  readonly placed_at: bigint;
}

/** By how much the number of an order's state grows in its row's sum: from that of pending to that of cancelled. */
const STEP = 3;

/** The statements of a cancel, which write what the service writes, through the bare driver. */
export function openForCancels(path: string) {
  const prepare = openForWriting(path);
  return {
    begin: prepare('BEGIN IMMEDIATE'),
    commit: prepare('COMMIT'),
    counters: prepare('SELECT revision FROM stores WHERE id = ?'),
    /** Given the time twice, the revision twice, the store and the order. */
    cancel: prepare(
      `UPDATE OR FAIL orders SET status = 'cancelled', sum = sum + ? - updated_at + ? - revision + ${STEP},
        updated_at = ?, revision = ?
      WHERE store_id = ? AND id = ? AND status = 'pending' RETURNING pet_id, quantity, ship_date, placed_at`,
    ),
    record: prepare(
      `INSERT OR FAIL INTO changes (store_id, revision, order_id, at, type, pet_id, quantity, ship_date, placed_at)
      VALUES (?, ?, ?, ?, 'order.cancelled', ?, ?, ?, ?)`,
    ),
    giveBack: prepare(
      `UPDATE OR FAIL pets SET stock = stock + ?1, sum = sum + ?1 + ?2 - revision, revision = ?2
      WHERE store_id = ?3 AND id = ?4`,
    ),
    save: prepare('UPDATE OR FAIL stores SET revision = ? WHERE id = ?'),
  };
}
