import type { Generated } from 'kysely';
import type { EventType, KeyScope, OrderStatus } from '../vocabulary.ts';

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
    next_idempotency: Generated<bigint>;
    created_at: bigint;
    /** Set where nothing opens the store: from then on, its rows are erased. */
    closed_at: bigint | null;
    /** Until when faults are armed in it; null where none are. */
    faults_until: Generated<bigint | null>;
    /** By whom limits are counted: the store that this one came from, by resets or beside it; null for one that came from none. */
    tenant_id: Generated<bigint | null>;
    /** When a store that was opened beside another ends; null for any other. */
    ends_at: Generated<bigint | null>;
    /** The newest event that is no longer kept; 0 if all are. */
    events_forgotten: Generated<bigint>;
  };
  keys: {
    hash: string;
    id: string;
    store_id: bigint;
    name: string;
    last_four: string;
    scope: KeyScope;
    created_at: bigint;
    expires_at: bigint | null;
    revoked_at: bigint | null;
    last_used_at: bigint | null;
    /** The console session that a short-lived key was made for, and with which it ends. */
    session_id: string | null;
    /** The key that took its place when it was rolled. */
    replaced_by: string | null;
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
  /** The log of changes, with all that its events show. Only appended to. */
  changes: {
    store_id: bigint;
    revision: bigint;
    at: bigint;
    type: EventType;
    order_id: Generated<bigint | null>;
    pet_id: Generated<bigint | null>;
    quantity: Generated<bigint | null>;
    ship_date: Generated<bigint | null>;
    placed_at: Generated<bigint | null>;
    name: Generated<string | null>;
    category: Generated<string | null>;
    stock: Generated<bigint | null>;
    /** Of the request that made the change. */
    traceparent: Generated<string | null>;
  };
  webhooks: {
    id: string;
    store_id: bigint;
    url: string;
    /** Separated by commas; empty for all events. */
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
    /** Of the request that made the change it tells of. */
    traceparent: Generated<string | null>;
  };
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
    fault: string | null;
    traceparent: string | null;
  };
  /** Orders of a store that ship in a week, by state; kept by whatever changes an order. */
  order_counts: {
    store_id: bigint;
    /** Its Monday. The week before any date stands for all weeks together. */
    week: bigint;
    status: OrderStatus;
    count: bigint;
  };
  /** Answers to placements, kept so that a retry with the same key gets the same answer. */
  idempotency: {
    store_id: bigint;
    key: string;
    fingerprint: string;
    answer: string;
    /** Counted per store: the older, the smaller. */
    number: bigint;
    expires_at: bigint;
  };
  /** Faults that were armed for requests of a store, in their order. */
  faults: {
    store_id: bigint;
    position: bigint;
    operation: string;
    fault: string;
    parameters: string;
    times: bigint | null;
    /** A number from 0 to 1, as JSON has it. */
    probability: string;
    seed: bigint;
    drawn: bigint;
    fired: bigint;
  };
  /** One row, which is written to see whether the database can be changed. */
  probes: {
    id: bigint;
    filling: string;
  };
  /** Secrets on which all replicas of a deployment agree. */
  secrets: {
    name: string;
    value: string;
  };
  accounts: {
    id: string;
    email: string;
    created_at: bigint;
  };
  credentials: {
    account_id: string;
    password: string;
  };
  sessions: {
    id: string;
    /** Null where it was opened with a key. */
    account_id: string | null;
    /** It ends with this key; null where it was opened with a password. */
    key_id: Generated<string | null>;
    /** SHA-256 of what the browser holds. */
    token: string;
    created_at: bigint;
    expires_at: bigint;
    /** To some minutes. */
    seen_at: bigint;
    address: string;
    agent: string;
  };
  audit: {
    account_id: string;
    at: bigint;
    id: string;
    what: string;
    key_id: string | null;
    last_four: string | null;
    address: string;
  };
  /** Tries in the window that ends then. */
  attempts: {
    bucket: string;
    count: bigint;
    ends_at: bigint;
  };
}
