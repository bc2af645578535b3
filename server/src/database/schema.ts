import type { Generated } from 'kysely';
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
    /** Set where nothing opens the store: from then on, its rows are erased. */
    closed_at: bigint | null;
    /** Until when faults are armed in it; null where none are. */
    faults_until: Generated<bigint | null>;
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
    last_used_at: bigint | null;
    /** The console session that a short-lived key was made for, and with which it ends. */
    session_id: string | null;
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
  /** Which order the change that made a revision of the store was about. */
  order_changes: {
    store_id: bigint;
    revision: bigint;
    order_id: bigint;
  };
  /** For each zone of order ids: no order in it ships before `earliest` or after `latest`. */
  order_zones: {
    store_id: bigint;
    zone: bigint;
    earliest: bigint;
    latest: bigint;
  };
  /** Answers to placements, kept so that a retry with the same key gets the same answer. */
  idempotency: {
    store_id: bigint;
    key: string;
    fingerprint: string;
    answer: string;
    expires_at: bigint;
  };
  /** Faults that were armed for requests of a store, in their order. */
  faults: {
    store_id: bigint;
    position: bigint;
    operation: string;
    fault: string;
    /** JSON. */
    parameters: string;
    /** How often it may fire; null for always. */
    times: bigint | null;
    /** A number from 0 to 1, as JSON has it. */
    probability: string;
    seed: bigint;
    /** How many requests it was drawn for, and how many of them it failed. */
    drawn: bigint;
    fired: bigint;
  };
  /** What all replicas of a deployment must agree on. */
  secrets: {
    name: string;
    value: string;
  };
  accounts: {
    id: string;
    email: string;
    created_at: bigint;
  };
  /** The hash of each account's password. */
  credentials: {
    account_id: string;
    password: string;
  };
  sessions: {
    id: string;
    account_id: string;
    /** SHA-256 of what the browser holds. */
    token: string;
    created_at: bigint;
    expires_at: bigint;
  };
  /** How often something was tried in the window that ends then. */
  attempts: {
    bucket: string;
    count: bigint;
    ends_at: bigint;
  };
}
