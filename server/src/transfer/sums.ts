import { createHash, type Hash } from 'node:crypto';
import type { TransferRow, TransferTable } from './tables.ts';

export type Sums = Readonly<Record<string, { readonly rows: number; readonly sha256: string }>>;

export function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

export class Summing {
  readonly #sums = new Map<string, { rows: number; hash: Hash }>();

  /** A table without rows has a sum, too. */
  constructor(tables: readonly TransferTable[]) {
    for (const table of tables) this.add(table, []);
  }

  add({ name }: TransferTable, rows: readonly TransferRow[]): string {
    const sum = this.#sums.get(name) ?? { rows: 0, hash: createHash('sha256') };
    this.#sums.set(name, sum);
    const text = rows.map(lineOf).join('');
    sum.rows += rows.length;
    sum.hash.update(text);
    return text;
  }

  finish(): Sums {
    const sums = [...this.#sums].map(([name, { rows, hash }]) => [
      name,
      { rows, sha256: hash.digest('hex') },
    ]);
    return Object.fromEntries(sums);
  }
}

export function difference(expected: Sums, found: Sums): string | undefined {
  for (const name of Object.keys(found)) {
    const [should, is] = [expected[name], found[name]];
    if (should?.rows !== is?.rows) return `${name} has ${is?.rows} rows instead of ${should?.rows}`;
    if (should?.sha256 !== is?.sha256) return `${name} has other rows`;
  }
  return undefined;
}
