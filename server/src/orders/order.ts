import type { OrderStatus } from '../vocabulary.ts';

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
