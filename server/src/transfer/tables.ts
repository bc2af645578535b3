import type { Schema } from '../database/schema.ts';

/** Every table, in an order in which each row finds what it refers to. */
export const tableNames = [
  'secrets',
  'probes',
  'accounts',
  'credentials',
  'sessions',
  'audit',
  'attempts',
  'stores',
  'keys',
  'pets',
  'orders',
  'changes',
  'order_counts',
  'idempotency',
  'webhooks',
  'deliveries',
  'faults',
  'requests',
] as const satisfies ReadonlyArray<keyof Schema>;

export type TableName = (typeof tableNames)[number];

/** A start writes these by itself: a target that holds nothing else is as good as empty. */
export const incidentalTables: ReadonlySet<TableName> = new Set(['secrets', 'probes', 'attempts']);

type ColumnType = 'integer' | 'text';

/** A table as the database itself describes it. */
export interface TransferTable {
  readonly name: TableName;
  /** In the order in which they were declared, which is the same on every engine. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** The primary key: rows go in its order, which is the same on every engine. */
  readonly key: readonly string[];
}

export interface FoundColumn {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  /** Its place in the primary key; null outside of it. */
  readonly keyPlace: number | null;
}

const types: Readonly<Record<string, ColumnType>> = { INTEGER: 'integer', BIGINT: 'integer', TEXT: 'text' };

export function tablesOf(columns: readonly FoundColumn[]): TransferTable[] {
  return tableNames.map((name) => {
    const own = columns.filter(({ table }) => table === name);
    const key = own.filter(({ keyPlace }) => keyPlace !== null);
    return {
      name,
      columns: Object.fromEntries(own.map((column) => [column.name, typeOf(column)])),
      key: key.sort((a, b) => Number(a.keyPlace) - Number(b.keyPlace)).map((column) => column.name),
    };
  });
}

function typeOf({ table, name, type }: FoundColumn): ColumnType {
  const known = types[type.toUpperCase()];
  if (!known) throw new Error(`${table}.${name} is ${type}, which no export can hold`);
  return known;
}
