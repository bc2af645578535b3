import type { Generated } from 'kysely';
import type { DeliveryStatus, EventType, KeyScope, OrderStatus } from '../domain/vocabulary.ts';

/** Integers are 64-bit on both engines and `bigint` here; times are milliseconds since 1970. */
export interface Schema {
  stores: {
    id: bigint;
    owner: string | null;
    revision: bigint;
    next_order_id: bigint;
    next_pet_id: bigint;
    next_idempotency: Generated<bigint>;
    created_at: bigint;
    /** From then on, the store cannot be opened, and its rows are erased. */
    closed_at: bigint | null;
    faults_until: bigint | null;
    /** The original store from which this one was created, by a reset or as a temporary store; both share limits. Null for an original store. */
    tenant_id: bigint | null;
    ends_at: bigint | null;
    /** The store's own rate limit, set in the sandbox; its windows are counted from `created_at`. */
    rate_requests: bigint | null;
    rate_seconds: bigint | null;
    /** A revision: all events up to it have been deleted; 0 if none has been. */
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
    session_id: string | null;
    replaced_by: string | null;
  };
  pets: {
    store_id: bigint;
    id: bigint;
    name: string;
    category: string;
    stock: bigint;
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
    revision: bigint;
  };
  /** The change log, append-only, with all data of its events. */
  changes: {
    store_id: bigint;
    revision: bigint;
    at: bigint;
    type: EventType;
    order_id: bigint | null;
    pet_id: bigint | null;
    quantity: bigint | null;
    ship_date: bigint | null;
    placed_at: bigint | null;
    name: string | null;
    category: string | null;
    stock: bigint | null;
    /** `traceparent`, followed by a space and `tracestate` if there is one. */
    traceparent: string | null;
  };
  webhooks: {
    id: string;
    store_id: bigint;
    url: string;
    /** Comma-separated; empty means all, including future types. */
    types: string;
    secret: string;
    old_secret: string | null;
    old_secret_until: bigint | null;
    active: bigint;
    created_at: bigint;
    /** Deliveries exist for the events up to this revision. */
    revision: bigint;
    next_delivery_id: bigint;
    /** When the first delivery is due; 0 if the log has events without deliveries; null if neither. */
    next_due: Generated<bigint | null>;
  };
  deliveries: {
    webhook_id: string;
    id: bigint;
    body: string;
    status: DeliveryStatus;
    /** Number of attempts so far, including one in progress; a redelivery resets it. */
    tries: bigint;
    /** JSON: the last eight attempts. */
    attempts: string;
    /** When the next attempt is due; null once finished. Set before an attempt, in case its outcome is never recorded. */
    next_at: bigint | null;
    created_at: bigint;
    traceparent: string | null;
    /** Lease: until this time, one replica owns the next attempt. The value also identifies the lease. */
    claimed_until: Generated<bigint | null>;
    /** How often the success of another delivery of the webhook has brought this one's retry forward. */
    brought_forward: Generated<bigint>;
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
    /** The first 4 KB of the response body. */
    answer_body: string | null;
    /** JSON objects of strings. */
    request_headers: string | null;
    response_headers: string | null;
    fault: string | null;
    traceparent: string | null;
  };
  /** Number of orders per status and week of the ship date, and per status alone (`ALL_WEEKS`). Updated with each order. */
  order_counts: { store_id: bigint; week: bigint; status: OrderStatus; count: bigint };
  idempotency: {
    store_id: bigint;
    key: string;
    fingerprint: string;
    answer: string;
    number: bigint;
    expires_at: bigint;
  };
  faults: {
    store_id: bigint;
    position: bigint;
    operation: string;
    fault: string;
    parameters: string;
    times: bigint | null;
    probability: string;
    seed: bigint;
    drawn: bigint;
    fired: bigint;
  };
  /** Write probes: each overwrites the only row with a random payload, `filling`. */
  probes: { id: bigint; filling: string };
  secrets: { name: string; value: string };
  accounts: { id: string; email: string; created_at: bigint };
  credentials: { account_id: string; password: string };
  sessions: {
    id: string;
    account_id: string | null;
    /** The session ends with this key; null if it was started with a password. */
    key_id: string | null;
    token: string;
    created_at: bigint;
    expires_at: bigint;
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
  /** Rate-limit counters of all replicas: attempts to sign up or sign in, and requests. Not delivery attempts. */
  attempts: { bucket: string; count: bigint; ends_at: bigint };
}
