import { schemaVersion } from '../database/migrations.ts';
import type { DeploymentName } from '../deployment.ts';
import type { Sums } from './sums.ts';
import type { TransferRow, TransferTable } from './tables.ts';

const FORMAT = 'petstore export 1';

export class TransferError extends Error {
  override name = 'TransferError';
}

type Header = ReturnType<typeof headerOf>;

/**
 * An export is lines of JSON: this one first; then for each table a line that names it, and a line for each
 * of its rows, an array of texts; at the end, one line with the sums that prove it whole.
 */
export function headerOf(deployment: DeploymentName, rows: Readonly<Record<string, number>>) {
  return { format: FORMAT, deployment, schema: schemaVersion, rows };
}

export function readHeader(line: string | undefined, deployment: DeploymentName): Header {
  if (line === undefined) throw new TransferError('there is nothing to import: the input is empty');
  const header = parse(line) as Partial<Header> | null;
  if (header?.format !== FORMAT) throw new TransferError('what was given is no export of petstore');
  if (header.deployment !== deployment)
    throw new TransferError(`the export is of ${header.deployment}, not of ${deployment}`);
  if (header.schema !== schemaVersion) {
    throw new TransferError(
      `the export has schema version ${header.schema}, this program has ${schemaVersion}: make it with the same version`,
    );
  }
  return header as Header;
}

type BodyLine = { readonly row: TransferRow } | { readonly table: TransferTable } | { readonly end: Sums };

export function readBodyLine(
  line: string,
  tables: readonly TransferTable[],
  table: TransferTable | undefined,
): BodyLine {
  const value = parse(line);
  if (Array.isArray(value)) {
    if (!table || !isRow(value, table)) throw new TransferError('the export has a row that fits no table');
    return { row: value };
  }
  const { table: name, columns, end } = (value ?? {}) as { table?: string; columns?: string[]; end?: Sums };
  if (end) return { end };
  const next = tables[table ? tables.indexOf(table) + 1 : 0];
  if (!next || next.name !== name || String(columns) !== String(Object.keys(next.columns)))
    throw new TransferError('the export has other tables than this program');
  return { table: next };
}

function isRow(values: unknown[], { columns }: TransferTable): values is string[] {
  const types = Object.values(columns);
  return (
    values.length === types.length &&
    values.every(
      (value, i) =>
        value === null || (typeof value === 'string' && (types[i] === 'text' || /^-?\d{1,19}$/.test(value))),
    )
  );
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new TransferError('the export has a line that is no JSON');
  }
}
