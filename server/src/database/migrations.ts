import { DatabaseSync } from 'node:sqlite';
import { UnusableDatabase } from './engine.ts';
import { dialects, firstTables } from './first-tables.ts';
import type { EngineName } from './query.ts';

export interface Migration {
  readonly version: number;
  readonly statements: (engine: EngineName) => string[];
}

/** Replaces the index by time alone: PostgreSQL also used it for one webhook, and read the due deliveries of all. */
const dueByWebhook = () => [
  'CREATE INDEX IF NOT EXISTS deliveries_due_of_webhook ON deliveries (webhook_id, next_at) WHERE next_at IS NOT NULL',
  'DROP INDEX deliveries_due',
];

/** Start of the week of a ship date. Weeks are counted from a Monday before all valid dates, which stands for all weeks. */
const week = 'ship_date - (ship_date + 120959654400000) % 604800000';

/** A replica of the previous version cannot serve orders and pets afterwards. */
const countsInsteadOfSums = (engine: EngineName) => {
  const { int, table } = dialects[engine];
  // The JSON of a cached response starts at the first brace; what precedes it is dropped.
  const start = engine === 'sqlite' ? "instr(answer, '{')" : "strpos(answer, '{')";
  return [
    `CREATE TABLE order_counts (
      store_id ${int} NOT NULL, week ${int} NOT NULL, status TEXT NOT NULL, count ${int} NOT NULL,
      PRIMARY KEY (store_id, week, status))${table}`,
    `INSERT INTO order_counts SELECT store_id, ${week}, status, count(*) FROM orders GROUP BY store_id, ${week}, status`,
    'INSERT INTO order_counts SELECT store_id, -120959654400000, status, count(*) FROM orders GROUP BY store_id, status',
    'ALTER TABLE orders DROP COLUMN sum',
    'ALTER TABLE pets DROP COLUMN sum',
    'ALTER TABLE pets DROP COLUMN supplied',
    `UPDATE idempotency SET answer = substr(answer, ${start})`,
    `CREATE TABLE probes (id ${int} PRIMARY KEY, filling TEXT NOT NULL)${table}`,
    "DELETE FROM secrets WHERE name = 'trial' OR name LIKE 'work: %'",
    'DROP TABLE order_zones',
    'DROP INDEX pets_changed',
    ...(engine === 'postgres' ? ['DROP STATISTICS orders_dates'] : []),
  ];
};

/** A replica of the previous version counts limits by store, and deletes no events. */
const countedByTenant = (engine: EngineName) => [
  `ALTER TABLE stores ADD COLUMN tenant_id ${dialects[engine].int}`,
  `ALTER TABLE stores ADD COLUMN events_forgotten ${dialects[engine].int} NOT NULL DEFAULT 0`,
];

const faultsAndSuccessors = () => [
  'ALTER TABLE requests ADD COLUMN fault TEXT',
  'ALTER TABLE keys ADD COLUMN replaced_by TEXT',
];

/** A replica of the previous version ends no stores; their keys still expire. */
const storesThatEnd = (engine: EngineName) => [
  `ALTER TABLE stores ADD COLUMN ends_at ${dialects[engine].int}`,
  'CREATE INDEX stores_ending ON stores (ends_at) WHERE ends_at IS NOT NULL',
  'CREATE INDEX stores_of_tenant ON stores (tenant_id) WHERE tenant_id IS NOT NULL',
];

/** A replica of the previous version writes no traces. */
const traces = () =>
  ['requests', 'changes', 'deliveries'].map((table) => `ALTER TABLE ${table} ADD COLUMN traceparent TEXT`);

/** An older replica writes no headers. */
const headersOfRequests = () =>
  ['request_headers', 'response_headers'].map((column) => `ALTER TABLE requests ADD COLUMN ${column} TEXT`);

/** For finding the expired idempotency keys of all stores. */
const idempotencyByExpiry = () => [
  'CREATE INDEX IF NOT EXISTS idempotency_by_expiry ON idempotency (expires_at)',
  'DROP INDEX idempotency_expiring',
];

/**
 * Every webhook is due once after the migration. A replica of the previous version neither marks webhooks as due nor sets
 * `claimed_until`: it sends the events of its own changes, and the search for unmarked webhooks finds those it leaves.
 */
const dueWebhooks = (engine: EngineName) => [
  `ALTER TABLE webhooks ADD COLUMN next_due ${dialects[engine].int}`,
  `ALTER TABLE deliveries ADD COLUMN claimed_until ${dialects[engine].int}`,
  'UPDATE webhooks SET next_due = 0',
  'CREATE INDEX webhooks_due ON webhooks (next_due, id) WHERE active = 1 AND next_due IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS deliveries_finished ON deliveries (webhook_id, id) WHERE next_at IS NULL',
];

/** Recounts orders: counts may lack changes made on PostgreSQL during the migration to version 7. */
const ordersCountedAgain = () => {
  const counted = `SELECT store_id, ${week} AS week, status, count(*) AS count FROM orders GROUP BY 1, 2, 3
    UNION ALL SELECT store_id, -120959654400000, status, count(*) FROM orders GROUP BY store_id, status`;
  const found = 'SELECT store_id, week, status, count FROM order_counts';
  return [
    `DELETE FROM order_counts WHERE (store_id, week, status) IN (
      SELECT store_id, week, status FROM (${found} EXCEPT SELECT * FROM (${counted}) AS counted) AS wrong)`,
    `INSERT INTO order_counts (store_id, week, status, count) SELECT * FROM (${counted}) AS counted EXCEPT ${found}`,
  ];
};

/** A replica of the previous version brings retries forward without counting. */
const retriesBroughtForward = (engine: EngineName) => [
  `ALTER TABLE deliveries ADD COLUMN brought_forward ${dialects[engine].int} NOT NULL DEFAULT 0`,
];

/** A replica of the version before does not limit requests to a store. */
const rateLimitsOfStores = (engine: EngineName) =>
  ['rate_requests', 'rate_seconds'].map(
    (column) => `ALTER TABLE stores ADD COLUMN ${column} ${dialects[engine].int}`,
  );

/** Forward only, never edited once released. Versions below 5 were never released. */
export const migrations: readonly Migration[] = [
  { version: 5, statements: firstTables },
  { version: 6, statements: dueByWebhook },
  { version: 7, statements: countsInsteadOfSums },
  { version: 8, statements: countedByTenant },
  { version: 9, statements: faultsAndSuccessors },
  { version: 10, statements: storesThatEnd },
  { version: 11, statements: traces },
  { version: 12, statements: idempotencyByExpiry },
  { version: 13, statements: dueWebhooks },
  { version: 14, statements: ordersCountedAgain },
  { version: 15, statements: headersOfRequests },
  { version: 16, statements: retriesBroughtForward },
  { version: 17, statements: rateLimitsOfStores },
];

export const schemaVersion = newestVersionOf(migrations);

/** Rejects a database that is newer, has an unreleased version, or lacks columns of its version. */
export function missingMigrations(
  database: string,
  version: number,
  found: ReadonlyArray<{ readonly fullName: string }>,
  known: readonly Migration[],
): Migration[] {
  const newest = newestVersionOf(known);
  if (version > newest)
    throw new UnusableDatabase(
      `${database} has schema version ${version}, newer than this program's ${newest}: use a newer petstore`,
    );
  if (version > 0 && !known.some((migration) => migration.version === version))
    throw new UnusableDatabase(
      `${database} has schema version ${version}, which was never released: use an empty database`,
    );
  const expected = columnsCreatedBy(known.filter((migration) => migration.version <= version));
  const missing = expected.find(({ fullName }) => !found.some((column) => column.fullName === fullName));
  if (missing)
    throw new UnusableDatabase(
      `${database} has schema version ${version}, but lacks ${missing.fullName}: it was created by an unreleased version or changed by another program; use an empty database`,
    );
  return known.filter((migration) => migration.version > version);
}

const createdBy = new Map<string, readonly Column[]>();

/** The columns that these migrations create, found by running them in memory. Memoized: a start calls it four times. */
export function columnsCreatedBy(known: readonly Migration[]): readonly Column[] {
  const script = known.flatMap(({ statements }) => statements('sqlite')).join(';');
  const columns = createdBy.get(script) ?? columnsOfScript(script);
  createdBy.set(script, columns);
  return columns;
}

function columnsOfScript(script: string): Column[] {
  using model = new DatabaseSync(':memory:');
  model.exec(script);
  return columnsOfSqlite(model);
}

export interface Column {
  readonly table: string;
  readonly name: string;
  readonly fullName: string;
  readonly type: 'INTEGER' | 'TEXT';
  readonly isPrimaryKey: 0 | 1;
}

/** All columns, by table in order of creation. */
export function columnsOfSqlite(db: DatabaseSync): Column[] {
  const columns = db.prepare(
    `SELECT tables.name AS "table", columns.name, tables.name || '.' || columns.name AS "fullName", columns.type, pk > 0 AS "isPrimaryKey"
     FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
     WHERE tables.type = 'table' ORDER BY tables.rowid, cid`,
  );
  return columns.all() as unknown as Column[];
}

export function newestVersionOf(known: readonly Migration[]): number {
  return known.at(-1)?.version ?? 0;
}
