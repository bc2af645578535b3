import type { Generated } from 'kysely';
import type { EventType } from '../events/event-types.ts';
import type { OrderStatus } from '../orders/states.ts';

/** What became of an event on its way to a webhook. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

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
    /** When its account was deleted: nothing opens it any more, and its rows are being erased. */
    closed_at: bigint | null;
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
  /** What each change made of an order or a pet, as its event shows it for ever. Only appended to. */
  changes: {
    store_id: bigint;
    revision: bigint;
    at: bigint;
    type: EventType;
    order_id: Generated<bigint | null>;
    /** The pet that it is about, or that its order is for. */
    pet_id: Generated<bigint | null>;
    quantity: Generated<bigint | null>;
    ship_date: Generated<bigint | null>;
    placed_at: Generated<bigint | null>;
    name: Generated<string | null>;
    category: Generated<string | null>;
    stock: Generated<bigint | null>;
  };
  webhooks: {
    id: string;
    store_id: bigint;
    url: string;
    /** Which events it is sent, separated by commas; all of them if it is empty. */
    types: string;
    secret: string;
    /** Signs too until then. */
    old_secret: Generated<string | null>;
    old_secret_until: Generated<bigint | null>;
    active: bigint;
    created_at: bigint;
    /** The store's revision up to which deliveries were made. */
    revision: bigint;
    next_delivery_id: bigint;
  };
  /** Events on their way to webhooks, and how that went. */
  deliveries: {
    webhook_id: string;
    id: bigint;
    body: string;
    status: DeliveryStatus;
    /** Tries since it was made, or made to start over. */
    tries: bigint;
    attempts: string;
    /** When it may be tried; while somebody tries, when somebody else may. */
    next_at: bigint | null;
    created_at: bigint;
  };
  /** The last requests of each store, for its owner to look at. */
  requests: {
    store_id: bigint;
    id: bigint;
    key_id: string;
    request_id: string;
    method: string;
    path: string;
    operation: string | null;
    status: bigint;
    error: string | null;
    micros: bigint;
    user_agent: string | null;
    request_body: string | null;
    answer_body: string | null;
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
