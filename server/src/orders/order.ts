import { pick, query } from '../database/query.ts';
import { insertRow } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import type { BodyOf } from '../http/fields/body.ts';
import { dateTime, int64, integer, optionalOrNull } from '../http/fields/field.ts';
import type { Transaction } from '../writer/verb.ts';
import { states } from './states.ts';

export const orderFields = {
  petId: int64('Id of the pet to order.', 1),
  quantity: integer([1, 1000], 'Number of units.', 2),
  shipDate: optionalOrNull(
    dateTime('Requested ship date. Three days from now by default.', '2026-12-07T10:00:00Z'),
  ),
};
export type OrderFields = BodyOf<typeof orderFields>;

/** Columns that the change log has, too. */
export const recordedColumns = ['pet_id', 'quantity', 'ship_date', 'placed_at'] as const;
export const orderColumns = ['id', ...recordedColumns, 'status', 'updated_at'] as const;

export type Order = Pick<Schema['orders'], (typeof orderColumns)[number]>;

export const findOrder = query((db, p: { storeId: bigint; orderId: bigint }) =>
  db.selectFrom('orders').select(orderColumns).where('store_id', '=', p.storeId).where('id', '=', p.orderId),
);

type Change = { store_id: bigint; revision: bigint };

export async function recordOrderChange(tx: Transaction, order: Order, change: Change): Promise<void> {
  const { id: order_id, status, updated_at: at } = order;
  const { event: type } = states[status];
  const recorded = pick(order, recordedColumns);
  await insertRow(tx, 'changes', { ...change, type, at, order_id, ...recorded, traceparent: tx.traceparent });
}
