import { type RawBuilder, sql } from 'kysely';
import { smallFrom } from '../database/row-sum.ts';
import type { Schema } from '../database/schema.ts';
import { type OrderStatus, orderStatuses } from './states.ts';

/** The number that stands for a state in a sum: its place among them, which it keeps. A state that is none has none. */
export function stateNumber(status: OrderStatus): bigint {
  return BigInt(orderStatuses.indexOf(status) + 1);
}

const numbersOfStates = sql.join(
  orderStatuses.map((status) => sql`WHEN ${sql.lit(status)} THEN ${sql.lit(Number(stateNumber(status)))}`),
  sql` `,
);

type Summed = Exclude<keyof Schema['orders'], 'store_id' | 'sum'>;
const inRow = (column: Summed) => sql.ref(`orders.${column}`);

/** What the row of an order adds up to: kept in the row, it no longer fits once a value has changed by itself. */
export function orderSum(of: (column: Summed) => RawBuilder<unknown> = inRow): RawBuilder<bigint> {
  const state = sql`CASE ${of('status')} ${numbersOfStates} END`;
  return sql`${smallFrom(of('id'))} + ${smallFrom(of('pet_id'))} + ${of('quantity')} + ${of('ship_date')} +
    ${state} + ${of('placed_at')} + ${of('updated_at')} + ${of('revision')}`;
}

/** The row of an order that is made as it is. */
export function newOrder(row: Omit<Schema['orders'], 'sum'>) {
  return { ...row, sum: orderSum((column) => sql`${row[column]}`) };
}

/** The state of an order whose row fits its sum. For any other it is a text that is no state, and says which row. */
export const soundStatus = sql<OrderStatus>`CASE WHEN orders.sum = ${orderSum()} THEN orders.status
  ELSE 'damaged, in store ' || orders.store_id || ', and reads ' || orders.status END`;
