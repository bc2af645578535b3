import type { Schema } from '../database/schema.ts';

/** Every table and its primary key, in an order in which each row finds what it refers to. */
const keys = {
  secrets: ['name'],
  probes: ['id'],
  accounts: ['id'],
  credentials: ['account_id'],
  sessions: ['id'],
  audit: ['account_id', 'at', 'id'],
  attempts: ['bucket'],
  stores: ['id'],
  keys: ['hash'],
  pets: ['store_id', 'id'],
  orders: ['store_id', 'id'],
  changes: ['store_id', 'revision'],
  order_counts: ['store_id', 'week', 'status'],
  idempotency: ['store_id', 'key'],
  webhooks: ['id'],
  deliveries: ['webhook_id', 'id'],
  faults: ['store_id', 'position'],
  requests: ['store_id', 'id'],
} as const satisfies { readonly [Name in keyof Schema]: ReadonlyArray<keyof Schema[Name]> };

export type TableName = keyof typeof keys;
export const tableNames = Object.keys(keys) as TableName[];

/** A start writes these by itself: a target that holds nothing else is as good as empty. */
export const incidentalTables: ReadonlySet<TableName> = new Set(['secrets', 'probes', 'attempts']);

export type ColumnType = 'integer' | 'text';

export interface TransferTable {
  readonly name: TableName;
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly key: readonly string[];
}

export function tableOf(name: TableName, columns: ReadonlyArray<[string, ColumnType]>): TransferTable {
  return { name, columns: Object.fromEntries(columns), key: keys[name] };
}

/** One row's values in the order of its table's columns. Integers are decimal text, exact at any size. */
export type TransferRow = ReadonlyArray<string | null>;

/** One long transaction on a deployment's database. Unless it is committed before it is disposed of, it never was. */
export interface TransferConnection extends AsyncDisposable {
  readonly tables: readonly TransferTable[];
  count(table: TransferTable): Promise<number>;
  rows(table: TransferTable): AsyncIterable<readonly TransferRow[]>;
  insert(table: TransferTable, rows: readonly TransferRow[]): Promise<void>;
  clear(table: TransferTable): Promise<void>;
  commit(): Promise<void>;
}

export function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
