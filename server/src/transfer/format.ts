import { createHash, type Hash } from 'node:crypto';
import { schemaVersion } from '../database/migrations.ts';
import type { DeploymentName } from '../domain/deployment.ts';
import type { TransferTable } from './open-transfer.ts';

const FORMAT = 'petstore export 1';
const MAX_LINE_LENGTH = 4 * 1024 * 1024;

export class TransferError extends Error {
  override name = 'TransferError';
}

/** A row's values in column order. Integers are decimal strings, exact at any size. */
export type TransferRow = ReadonlyArray<string | null>;

export function namesOf({ columns }: TransferTable): string[] {
  return columns.map(({ name }) => name);
}

type Header = ReturnType<typeof headerOf>;

/**
 * An export is JSON lines: this header; for each table a line with its name and columns, then an array of strings per row;
 * at the end a line with checksums.
 */
export function headerOf(deployment: DeploymentName, rows: Readonly<Record<string, number>>) {
  return { format: FORMAT, deployment, schema: schemaVersion, rows };
}

export function readHeader(line: string | undefined, deployment: DeploymentName): Header {
  if (line === undefined) throw new TransferError('nothing to import: the input is empty');
  const header: Partial<Header> | null = parseLine(line);
  if (header?.format !== FORMAT) throw new TransferError('the input is not a petstore export');
  if (header.deployment !== deployment)
    throw new TransferError(`the export is from ${header.deployment}, not ${deployment}`);
  if (header.schema !== schemaVersion)
    throw new TransferError(
      `the export has schema version ${header.schema}, but this program has ${schemaVersion}: export with the version that you import with`,
    );
  return header as Header;
}

type TableLine = { table: string; columns: string[] };

/** Missing tables are detected by the checksums at the end. */
export function readTable(line: Partial<TableLine> | null, tables: readonly TransferTable[]): TransferTable {
  const table = tables.find(({ name }) => name === line?.table);
  if (!table || String(line?.columns) !== String(namesOf(table)))
    throw new TransferError('the tables of the export differ from those of this program');
  return table;
}

export function readRow(values: readonly unknown[], table: TransferTable | undefined): TransferRow {
  const fits = (value: unknown, i: number) =>
    value === null ||
    (typeof value === 'string' && (table?.columns[i]?.type === 'TEXT' || /^-?\d{1,19}$/.test(value)));
  if (values.length !== table?.columns.length || !values.every(fits))
    throw new TransferError('the export has a row that does not match its table');
  return values as TransferRow;
}

export function parseLine(line: string) {
  try {
    return JSON.parse(line);
  } catch {
    throw new TransferError('the export has a line that is not JSON');
  }
}

export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  try {
    for await (const chunk of chunks) {
      const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n');
      rest += first;
      for (const next of more) {
        yield rest;
        rest = next;
      }
      if (rest.length > MAX_LINE_LENGTH) throw new TransferError('the export has a line that is too long');
    }
    rest += decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new TransferError('the export is not valid UTF-8');
    throw error;
  }
  if (rest !== '') yield rest;
}

export function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

export type Sums = Readonly<Record<string, { readonly rows: number; readonly sha256: string }>>;

export class Checksums {
  readonly #sums = new Map<string, { rows: number; hash: Hash }>();

  /** Tables without rows have a checksum, too. */
  constructor(tables: readonly TransferTable[]) {
    for (const table of tables) this.add(table, []);
  }

  /** Adds rows to the checksum of their table. Returns them as text. */
  add({ name }: TransferTable, rows: readonly TransferRow[]): string {
    const sum = this.#sums.get(name) ?? { rows: 0, hash: createHash('sha256') };
    this.#sums.set(name, sum);
    const text = rows.map(lineOf).join('');
    sum.rows += rows.length;
    sum.hash.update(text);
    return text;
  }

  finish(): Sums {
    const sums: Record<string, Sums[string]> = {};
    for (const [name, { rows, hash }] of this.#sums) sums[name] = { rows, sha256: hash.digest('hex') };
    return sums;
  }
}

export function requireSameSums(expected: Sums, found: Sums, explain: (wrong: string) => string): void {
  for (const [name, { rows, sha256 }] of Object.entries(found)) {
    const table = expected[name];
    if (table?.rows !== rows)
      throw new TransferError(explain(`${name} has ${rows} rows instead of ${table?.rows}`));
    if (table.sha256 !== sha256) throw new TransferError(explain(`${name} has different rows`));
  }
}
