import { type RawBuilder, sql } from 'kysely';
import { soundStatus } from './order-sum.ts';
import type { OrderStatus } from './states.ts';

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

/** Columns of `orders` as they are read, the state only from a row that is sound. */
export function readColumns(
  columns: ReadonlyArray<keyof Order | 'revision'> = orderColumns,
): RawBuilder<unknown> {
  return sql.join(
    columns.map((column) =>
      column === 'status' ? sql`${soundStatus} AS status` : sql.ref(`orders.${column}`),
    ),
  );
}
