import type { EngineName } from './query.ts';

/** SQL that differs between engines. */
export const dialects = {
  sqlite: { int: 'INTEGER', table: ' STRICT, WITHOUT ROWID', rowidTable: ' STRICT' },
  postgres: { int: 'BIGINT', table: '', rowidTable: '' },
};

/** The schema of the first release. */
export function firstTables(engine: EngineName): string[] {
  const { int, table, rowidTable } = dialects[engine];
  return [
    `CREATE TABLE accounts (
      id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, created_at ${int} NOT NULL)${table}`,
    `CREATE TABLE credentials (
      account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE, password TEXT NOT NULL)${table}`,
    `CREATE TABLE sessions (
      id TEXT PRIMARY KEY, account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE, key_id TEXT,
      token TEXT NOT NULL UNIQUE, created_at ${int} NOT NULL, expires_at ${int} NOT NULL,
      seen_at ${int} NOT NULL, address TEXT NOT NULL, agent TEXT NOT NULL)${table}`,
    'CREATE INDEX sessions_of_account ON sessions (account_id)',
    'CREATE INDEX sessions_of_key ON sessions (key_id) WHERE key_id IS NOT NULL',
    // No reference to an account: sign-ins with an unknown email are recorded, too.
    `CREATE TABLE audit (
      account_id TEXT NOT NULL, at ${int} NOT NULL, id TEXT NOT NULL, what TEXT NOT NULL, key_id TEXT,
      last_four TEXT, address TEXT NOT NULL, PRIMARY KEY (account_id, at, id))${table}`,
    'CREATE INDEX audit_by_age ON audit (at)',
    'CREATE INDEX sessions_expiring ON sessions (expires_at)',
    // Rate-limit counters.
    `CREATE TABLE attempts (bucket TEXT PRIMARY KEY, count ${int} NOT NULL, ends_at ${int} NOT NULL)${table}`,
    'CREATE INDEX attempts_ending ON attempts (ends_at)',
    `CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL)${table}`,
    `CREATE TABLE stores (
      id ${int} PRIMARY KEY, owner TEXT UNIQUE, revision ${int} NOT NULL, next_order_id ${int} NOT NULL,
      next_pet_id ${int} NOT NULL, next_idempotency ${int} NOT NULL DEFAULT 1, created_at ${int} NOT NULL,
      closed_at ${int}, faults_until ${int})${rowidTable}`,
    'CREATE INDEX stores_closed ON stores (closed_at) WHERE closed_at IS NOT NULL',
    `CREATE TABLE keys (
      hash TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, store_id ${int} NOT NULL REFERENCES stores (id),
      name TEXT NOT NULL, last_four TEXT NOT NULL, scope TEXT NOT NULL, created_at ${int} NOT NULL,
      expires_at ${int}, revoked_at ${int}, last_used_at ${int},
      session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE)${table}`,
    'CREATE INDEX keys_of_store ON keys (store_id, created_at, id)',
    'CREATE INDEX keys_of_session ON keys (session_id) WHERE session_id IS NOT NULL',
    'CREATE INDEX session_keys_expiring ON keys (expires_at) WHERE session_id IS NOT NULL',
    `CREATE TABLE idempotency (
      store_id ${int} NOT NULL REFERENCES stores (id), key TEXT NOT NULL, fingerprint TEXT NOT NULL,
      answer TEXT NOT NULL, number ${int} NOT NULL, expires_at ${int} NOT NULL,
      PRIMARY KEY (store_id, key))${table}`,
    'CREATE INDEX idempotency_by_number ON idempotency (store_id, number)',
    'CREATE INDEX idempotency_expiring ON idempotency (store_id, expires_at)',
    `CREATE TABLE faults (
      store_id ${int} NOT NULL REFERENCES stores (id), position ${int} NOT NULL, operation TEXT NOT NULL,
      fault TEXT NOT NULL, parameters TEXT NOT NULL, times ${int}, probability TEXT NOT NULL,
      seed ${int} NOT NULL, drawn ${int} NOT NULL, fired ${int} NOT NULL, PRIMARY KEY (store_id, position))${table}`,
    // `sum`, here and in `orders`: a checksum of the row. Dropped by migration 7.
    `CREATE TABLE pets (
      store_id ${int} NOT NULL REFERENCES stores (id), id ${int} NOT NULL, name TEXT NOT NULL,
      category TEXT NOT NULL, stock ${int} NOT NULL CHECK (stock >= 0),
      supplied ${int} NOT NULL DEFAULT 0, revision ${int} NOT NULL, sum ${int} NOT NULL DEFAULT 0,
      PRIMARY KEY (store_id, id))${table}`,
    'CREATE INDEX pets_changed ON pets (store_id, revision)',
    'CREATE INDEX pets_by_category ON pets (store_id, category, id)',
    'CREATE INDEX pets_sold ON pets (store_id, id) WHERE stock = 0',
    'CREATE INDEX pets_sold_by_category ON pets (store_id, category, id) WHERE stock = 0',
    'CREATE INDEX pets_available ON pets (store_id, id) WHERE stock > 0',
    'CREATE INDEX pets_available_by_category ON pets (store_id, category, id) WHERE stock > 0',
    // One index for each combination of equality filters and sort order of v2's order list.
    `CREATE TABLE orders (
      store_id ${int} NOT NULL REFERENCES stores (id), id ${int} NOT NULL, pet_id ${int} NOT NULL,
      quantity ${int} NOT NULL CHECK (quantity > 0), ship_date ${int} NOT NULL, status TEXT NOT NULL,
      placed_at ${int} NOT NULL, updated_at ${int} NOT NULL, revision ${int} NOT NULL,
      sum ${int} NOT NULL DEFAULT 0, PRIMARY KEY (store_id, id))${table}`,
    'CREATE INDEX orders_by_status ON orders (store_id, status, id, ship_date)',
    'CREATE INDEX orders_by_pet ON orders (store_id, pet_id, id, ship_date)',
    'CREATE INDEX orders_by_pet_status ON orders (store_id, pet_id, status, id, ship_date)',
    'CREATE INDEX orders_by_date ON orders (store_id, ship_date, id)',
    'CREATE INDEX orders_by_status_date ON orders (store_id, status, ship_date, id)',
    'CREATE INDEX orders_by_pet_date ON orders (store_id, pet_id, ship_date, id)',
    'CREATE INDEX orders_by_pet_status_date ON orders (store_id, pet_id, status, ship_date, id)',
    `CREATE TABLE order_zones (
      store_id ${int} NOT NULL, zone ${int} NOT NULL, earliest ${int} NOT NULL, latest ${int} NOT NULL,
      PRIMARY KEY (store_id, zone))${table}`,
    `CREATE TABLE changes (
      store_id ${int} NOT NULL, revision ${int} NOT NULL, at ${int} NOT NULL, type TEXT NOT NULL,
      order_id ${int}, pet_id ${int}, quantity ${int}, ship_date ${int}, placed_at ${int}, name TEXT,
      category TEXT, stock ${int}, PRIMARY KEY (store_id, revision))${table}`,
    `CREATE TABLE webhooks (
      id TEXT PRIMARY KEY, store_id ${int} NOT NULL REFERENCES stores (id), url TEXT NOT NULL,
      types TEXT NOT NULL, secret TEXT NOT NULL, old_secret TEXT, old_secret_until ${int},
      active ${int} NOT NULL, created_at ${int} NOT NULL, revision ${int} NOT NULL,
      next_delivery_id ${int} NOT NULL)${table}`,
    'CREATE INDEX webhooks_of_store ON webhooks (store_id)',
    `CREATE TABLE deliveries (
      webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE, id ${int} NOT NULL,
      body TEXT NOT NULL, status TEXT NOT NULL, tries ${int} NOT NULL, attempts TEXT NOT NULL,
      next_at ${int}, created_at ${int} NOT NULL, PRIMARY KEY (webhook_id, id))${table}`,
    'CREATE INDEX deliveries_due ON deliveries (next_at) WHERE next_at IS NOT NULL',
    'CREATE INDEX deliveries_by_age ON deliveries (created_at)',
    `CREATE TABLE requests (
      store_id ${int} NOT NULL, id ${int} NOT NULL, key_id TEXT NOT NULL, request_id TEXT NOT NULL,
      method TEXT NOT NULL, path TEXT NOT NULL, operation TEXT, status ${int} NOT NULL, error TEXT,
      micros ${int} NOT NULL, user_agent TEXT, request_body TEXT, answer_body TEXT,
      PRIMARY KEY (store_id, id))${table}`,
    'CREATE INDEX requests_by_age ON requests (id)',
    ...(engine === 'postgres' ? ['CREATE STATISTICS orders_dates ON (ship_date + 0) FROM orders'] : []),
  ];
}
