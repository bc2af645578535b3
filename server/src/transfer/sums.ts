import { createHash, type Hash } from 'node:crypto';
import type { Progress } from './progress.ts';
import {
  type TableName,
  type TransferConnection,
  type TransferRow,
  type TransferTable,
  tableNames,
} from './tables.ts';

export type Sums = Readonly<Record<string, { readonly rows: number; readonly sha256: string }>>;

export function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

export class Summing {
  readonly #tables = Object.fromEntries(
    tableNames.map((name) => [name, { rows: 0, hash: createHash('sha256') }]),
  ) as Record<TableName, { rows: number; hash: Hash }>;

  add({ name }: TransferTable, rows: readonly TransferRow[]): string {
    const text = rows.map(lineOf).join('');
    this.#tables[name].rows += rows.length;
    this.#tables[name].hash.update(text);
    return text;
  }

  finish(): Sums {
    return Object.fromEntries(
      Object.entries(this.#tables).map(([name, { rows, hash }]) => [
        name,
        { rows, sha256: hash.digest('hex') },
      ]),
    );
  }
}

export async function sumsOf(connection: TransferConnection, progress: Progress): Promise<Sums> {
  const summing = new Summing();
  for (const table of connection.tables)
    for await (const rows of connection.rows(table)) {
      summing.add(table, rows);
      progress.add(rows.length, table.name);
    }
  progress.end();
  return summing.finish();
}

export function difference(expected: Sums, found: Sums): string | undefined {
  for (const name of tableNames) {
    const [should, is] = [expected[name], found[name]];
    if (should?.rows !== is?.rows) return `${name} has ${is?.rows} rows instead of ${should?.rows}`;
    if (should?.sha256 !== is?.sha256) return `${name} has other rows`;
  }
  return undefined;
}
