import { createHash, type Hash } from 'node:crypto';
import { type TransferConnection, type TransferRow, type TransferTable, tableNames } from './tables.ts';

export type Sums = Readonly<Record<string, { readonly rows: number; readonly sha256: string }>>;

export function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/** Counts and hashes the rows of each table as they pass. */
export class Summing {
  readonly #tables = new Map<string, { rows: number; hash: Hash }>();

  constructor() {
    for (const name of tableNames) this.#tables.set(name, { rows: 0, hash: createHash('sha256') });
  }

  add({ name }: TransferTable, rows: readonly TransferRow[]): string {
    const sum = this.#tables.get(name) as { rows: number; hash: Hash };
    const text = rows.map(lineOf).join('');
    sum.rows += rows.length;
    sum.hash.update(text);
    return text;
  }

  finish(): Sums {
    return Object.fromEntries(
      [...this.#tables].map(([name, { rows, hash }]) => [name, { rows, sha256: hash.digest('hex') }]),
    );
  }
}

export async function sumsOf(
  connection: TransferConnection,
  onProgress: (table: TransferTable, rows: number) => void,
): Promise<Sums> {
  const summing = new Summing();
  for (const table of connection.tables) {
    for await (const rows of connection.rows(table)) {
      summing.add(table, rows);
      onProgress(table, rows.length);
    }
  }
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
