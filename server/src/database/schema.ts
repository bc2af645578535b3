import type { OrderStatus } from '../orders/states.ts';

/** Every integer column is a 64-bit integer and a `bigint` here, on both engines; times are milliseconds since 1970. */
export interface Schema {
  stores: {
    id: bigint;
    /** The account that owns the store; null for a store opened on the command line. */
    owner: string | null;
    revision: bigint;
    next_order_id: bigint;
    next_pet_id: bigint;
    created_at: bigint;
  };
  keys: {
    hash: string;
    id: string;
    store_id: bigint;
    name: string;
    last_four: string;
    created_at: bigint;
    expires_at: bigint | null;
    revoked_at: bigint | null;
  };
  pets: {
    store_id: bigint;
    id: bigint;
    name: string;
    category: string;
    stock: bigint;
    /** The store's revision at which this row last changed. */
    revision: bigint;
  };
  orders: {
    store_id: bigint;
    id: bigint;
    pet_id: bigint;
    quantity: bigint;
    ship_date: bigint;
    status: OrderStatus;
    placed_at: bigint;
    updated_at: bigint;
    /** The store's revision at which this row last changed. */
    revision: bigint;
  };
  order_history: {
    store_id: bigint;
    order_id: bigint;
    revision: bigint;
    status: OrderStatus;
    at: bigint;
  };
  /** Answers to placements, kept so that a retry with the same key gets the same answer. */
  idempotency: {
    store_id: bigint;
    key: string;
    fingerprint: string;
    answer: string;
    expires_at: bigint;
  };
  /** What all replicas of a deployment must agree on. */
  secrets: {
    name: string;
    value: string;
  };
}
