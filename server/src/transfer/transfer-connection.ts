import type { TransferTable } from './tables.ts';

/** One row's values in the order of its table's columns. Integers are decimal text, exact at any size. */
export type TransferRow = ReadonlyArray<string | null>;

export interface Index {
  readonly name: string;
  readonly sql: string;
}

/** One long transaction on a deployment's database. What is not committed when it is disposed of never was. */
export interface TransferConnection extends AsyncDisposable {
  readonly tables: readonly TransferTable[];
  count(table: TransferTable): Promise<number>;
  rows(table: TransferTable): AsyncIterable<readonly TransferRow[]>;
  insert(table: TransferTable, rows: readonly TransferRow[]): Promise<void>;
  /** Drops the indexes until all rows are in: one is made much faster at once than row by row. */
  dropIndexes(): Promise<Index[]>;
  makeIndex(index: Index): Promise<void>;
  clear(table: TransferTable): Promise<void>;
  commit(): Promise<void>;
}
