import { type Column, columnsMadeBy, migrations } from '../database/migrations.ts';
import { type EngineName, query, type Value } from '../database/query.ts';
import { insertingAll } from '../database/rows.ts';

export interface TransferTable {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** One row's values in the order of its table's columns. Integers are decimal text, exact at any size. */
export type TransferRow = ReadonlyArray<string | null>;

/** One long transaction on a deployment's database. Unless it is committed before it is disposed of, it never was. */
export interface TransferConnection extends AsyncDisposable {
  readonly engine: EngineName;
  readonly tables: readonly TransferTable[];
  select(sql: string): AsyncIterable<ReadonlyArray<readonly Value[]>>;
  write(sql: string, ...params: Value[]): Promise<void>;
  commit(): Promise<void>;
}

/** Every table in the order in which they are made: a row refers only to tables before its own. */
export function transferTables(): TransferTable[] {
  const tables = Map.groupBy(columnsMadeBy(migrations), ({ table }) => table);
  return Array.from(tables, ([name, columns]) => ({ name, columns }));
}

export function namesOf({ columns }: TransferTable): string[] {
  return columns.map(({ name }) => name);
}

export async function countRows({ select }: TransferConnection, { name }: TransferTable): Promise<number> {
  const [rows] = await Array.fromAsync(select(`SELECT count(*) FROM ${name}`));
  return Number(rows?.[0]?.[0]);
}

/** Sorted by bytes, as no locale does it: the same on every machine and engine. */
const byBytes = { sqlite: 'COLLATE BINARY', postgres: 'COLLATE "C"' };

export async function* rowsOf(
  { engine, select }: TransferConnection,
  table: TransferTable,
): AsyncGenerator<readonly TransferRow[]> {
  const names = namesOf(table).map((name) => `"${name}"`);
  const key = table.columns.filter(({ isOfKey }) => isOfKey);
  const order = key.map(({ name, type }) => `"${name}" ${type === 'TEXT' ? byBytes[engine] : ''}`);
  for await (const rows of select(`SELECT ${names} FROM ${table.name} ORDER BY ${order}`))
    yield rows.map((row) => row.map((value) => (value === null ? null : String(value))));
}

export async function insertRows(
  { engine, write }: TransferConnection,
  { name, columns }: TransferTable,
  rows: readonly TransferRow[],
): Promise<void> {
  const insertion = query((_, p: { rows: string }) => insertingAll(name, columns, p.rows, engine));
  const { sql, bind } = insertion.on(engine);
  await write(sql, ...bind({ rows: JSON.stringify(rows) }));
}
