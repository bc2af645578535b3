import { query } from '../database/query.ts';
import { insertFromJson } from '../database/rows.ts';
import type { DeploymentName } from '../domain/deployment.ts';
import { countRows, exportDeployment } from './export-deployment.ts';
import {
  Checksums,
  parseLine,
  readHeader,
  readRow,
  readTable,
  requireSameSums,
  type Sums,
  TransferError,
  type TransferRow,
} from './format.ts';
import { BATCH, type TransferConnection, type TransferTable } from './open-transfer.ts';
import type { Progress } from './progress.ts';

/** Every start of the service writes to these tables: a target counts as empty even if they have rows. */
const startupTables = ['secrets', 'probes', 'attempts'];

/** Imports into an empty database, and commits after reading everything back. Accepts a target that has the same data already. */
export async function importDeployment(
  deployment: DeploymentName,
  lines: AsyncGenerator<string>,
  target: TransferConnection,
  progressFor: (verb: string, total: number) => Progress,
) {
  const header = readHeader((await lines.next()).value, deployment);
  const total = Object.values(header.rows).reduce((sum, rows) => sum + rows, 0);
  const isEmpty = await clearIfEmpty(target);
  const progress = progressFor(isEmpty ? 'import ' : 'compare', total);
  const exported = await readRows(lines, target, isEmpty ? insertRows : async () => {}, progress);

  let lastLine = '';
  for await (const text of exportDeployment(deployment, target, (rows) => progressFor('verify ', rows)))
    lastLine = text;
  requireSameSums(exported, JSON.parse(lastLine).end, (wrong) =>
    isEmpty
      ? `verification failed: ${wrong}; nothing was imported`
      : `the target has different data: ${wrong}; nothing was changed`,
  );
  if (isEmpty) await target.commit();
  return { imported: isEmpty, rows: total };
}

/** Returns false if any other table has rows. Otherwise empties `startupTables` and returns true. */
async function clearIfEmpty(target: TransferConnection): Promise<boolean> {
  for (const table of target.tables)
    if (!startupTables.includes(table.name) && (await countRows(target, table)) > 0) return false;
  for (const name of startupTables) await target.write(`DELETE FROM ${name}`);
  return true;
}

/** Writes every row, verifies the export's checksums, and returns them. */
async function readRows(
  lines: AsyncGenerator<string>,
  target: TransferConnection,
  write: typeof insertRows,
  progress: Progress,
): Promise<Sums> {
  const checksums = new Checksums(target.tables);
  let table: TransferTable | undefined;
  let rows: TransferRow[] = [];
  let end: Sums | undefined;
  const flush = async () => {
    if (!table || rows.length === 0) return;
    checksums.add(table, rows);
    await write(target, table, rows);
    progress.add(rows.length, table.name);
    rows = [];
  };

  for await (const text of lines) {
    if (end) throw new TransferError('the export has data after its last line');
    const line = parseLine(text);
    if (Array.isArray(line)) {
      rows.push(readRow(line, table));
      if (rows.length >= BATCH) await flush();
      continue;
    }
    await flush();
    end = line?.end;
    if (!end) table = readTable(line, target.tables);
  }
  if (!end) throw new TransferError('the export ends before its last line; nothing was imported');
  progress.end();
  const explain = (wrong: string) => `the export was changed or damaged: ${wrong}; nothing was imported`;
  requireSameSums(end, checksums.finish(), explain);
  return end;
}

async function insertRows(target: TransferConnection, { name, columns }: TransferTable, rows: TransferRow[]) {
  const insertion = query((_, p: { rows: string }, engine) => insertFromJson(name, columns, p.rows, engine));
  const { sql, bind } = insertion.statementFor(target.engine);
  await target.write(sql, ...bind({ rows: JSON.stringify(rows) }));
}
