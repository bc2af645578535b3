import { columnsMadeBy, migrations } from '../database/migrations.ts';
import type { EngineName, Value } from '../database/query.ts';

export interface TransferTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, 'integer' | 'text'>>;
  readonly key: readonly string[];
}

/** One row's values in the order of its table's columns. Integers are decimal text, exact at any size. */
export type TransferRow = ReadonlyArray<string | null>;

/** One long transaction on a deployment's database. Unless it is committed before it is disposed of, it never was. */
export interface TransferConnection extends AsyncDisposable {
  readonly engine: EngineName;
  readonly tables: readonly TransferTable[];
  select(sql: string): AsyncIterable<ReadonlyArray<readonly Value[]>>;
  write(sql: string, ...params: string[]): Promise<void>;
  commit(): Promise<void>;
}

/** Every table in the order in which they are made: a row refers only to tables before its own. */
export function transferTables(): TransferTable[] {
  const tables = Map.groupBy(columnsMadeBy(migrations), ({ table }) => table);
  return Array.from(tables, ([table, columns]) => ({
    name: table,
    columns: Object.fromEntries(
      columns.map(({ name, type }) => [name, type === 'TEXT' ? 'text' : 'integer']),
    ),
    key: columns.filter(({ isOfKey }) => isOfKey).map(({ name }) => name),
  }));
}

export async function countRows({ select }: TransferConnection, { name }: TransferTable): Promise<number> {
  const [rows] = await Array.fromAsync(select(`SELECT count(*) FROM ${name}`));
  return Number(rows?.[0]?.[0]);
}

/** Sorted by bytes, as no locale does it: the same on every machine and engine. */
const byBytes = { sqlite: 'COLLATE BINARY', postgres: 'COLLATE "C"' };

export async function* rowsOf(
  { engine, select }: TransferConnection,
  { name, columns, key }: TransferTable,
): AsyncGenerator<readonly TransferRow[]> {
  const order = key.map((column) => `"${column}" ${columns[column] === 'text' ? byBytes[engine] : ''}`);
  for await (const rows of select(`SELECT ${quoted(columns)} FROM ${name} ORDER BY ${order}`))
    yield rows.map((row) => row.map((value) => (value === null ? null : String(value))));
}

const eachOf = { sqlite: 'json_each(?)', postgres: 'json_array_elements(CAST($1 AS json)) AS given (value)' };

export async function insertRows(
  { engine, write }: TransferConnection,
  { name, columns }: TransferTable,
  rows: readonly TransferRow[],
): Promise<void> {
  const values = Object.values(columns).map((type, i) =>
    type === 'text' ? `value ->> ${i}` : `CAST(value ->> ${i} AS bigint)`,
  );
  const statement = `INSERT INTO ${name} (${quoted(columns)}) SELECT ${values} FROM ${eachOf[engine]}`;
  await write(statement, JSON.stringify(rows));
}

function quoted(columns: TransferTable['columns']): string {
  return Object.keys(columns)
    .map((name) => `"${name}"`)
    .join(', ');
}
