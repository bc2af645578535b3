import type { DeploymentName } from '../deployment.ts';
import { readBodyLine, readHeader, TransferError } from './format.ts';
import type { Progress } from './progress.ts';
import { difference, Summing, type Sums, sumsOf } from './sums.ts';
import { incidentalTables, type TransferConnection, type TransferRow, type TransferTable } from './tables.ts';

const BATCH = 2_000;

export type ImportResult = { readonly imported: boolean; readonly rows: number };

/** Imports into an empty database, and commits once all was read back. A target that holds this export stays as it is. */
export async function importDeployment(
  deployment: DeploymentName,
  lines: AsyncIterator<string>,
  target: TransferConnection,
  progressFor: (verb: string, total: number) => Progress,
): Promise<ImportResult> {
  const header = readHeader((await lines.next()).value, deployment);
  const total = Object.values(header.rows).reduce((sum, rows) => sum + rows, 0);
  const isEmpty = await makeEmpty(target);
  const write = isEmpty ? target.insert : async () => {};
  const progress = progressFor(isEmpty ? 'import ' : 'compare', total);
  const exported = await passOn(lines, target.tables, write, progress);

  const verifying = progressFor('verify ', total);
  const found = await sumsOf(target, (table, rows) => verifying.add(rows, table.name));
  verifying.end();
  const wrong = difference(exported, found);
  if (wrong !== undefined)
    throw new TransferError(
      isEmpty
        ? `the target did not keep what was written: ${wrong}; nothing was imported`
        : `the target holds other data: ${wrong}; nothing was changed`,
    );
  if (isEmpty) await target.commit();
  return { imported: isEmpty, rows: total };
}

/** True if the target had nothing but what a start writes by itself, which is now gone. */
async function makeEmpty(target: TransferConnection): Promise<boolean> {
  for (const table of target.tables) {
    if (!incidentalTables.has(table.name) && (await target.count(table)) > 0) return false;
  }
  for (const table of target.tables) if (incidentalTables.has(table.name)) await target.clear(table);
  return true;
}

/** Writes every row, and returns the export's own sums once they are known to be true. */
async function passOn(
  lines: AsyncIterator<string>,
  tables: readonly TransferTable[],
  write: (table: TransferTable, rows: readonly TransferRow[]) => Promise<void>,
  progress: Progress,
): Promise<Sums> {
  const summing = new Summing();
  let table: TransferTable | undefined;
  let rows: TransferRow[] = [];
  const flush = async () => {
    if (!table || rows.length === 0) return;
    summing.add(table, rows);
    await write(table, rows);
    progress.add(rows.length, table.name);
    rows = [];
  };

  for (;;) {
    const { value: text, done } = await lines.next();
    if (done) throw new TransferError('the export ends before its last line; nothing was imported');
    const line = readBodyLine(text, tables, table);
    if ('row' in line) {
      rows.push(line.row);
      if (rows.length >= BATCH) await flush();
      continue;
    }
    await flush();
    if ('table' in line) {
      table = line.table;
      continue;
    }
    progress.end();
    if (!(await lines.next()).done) throw new TransferError('the export goes on after its last line');
    const wrong = difference(line.end, summing.finish());
    if (wrong !== undefined)
      throw new TransferError(`the export was changed or damaged: ${wrong}; nothing was imported`);
    return line.end;
  }
}
