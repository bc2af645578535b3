import type { DeploymentName } from '../domain/deployment.ts';
import { Checksums, headerOf, lineOf, namesOf } from './format.ts';
import type { TransferConnection, TransferTable } from './open-transfer.ts';
import type { Progress } from './progress.ts';

export async function* exportDeployment(
  deployment: DeploymentName,
  source: TransferConnection,
  progressFor: (total: number) => Progress,
): AsyncGenerator<string> {
  const counts: Record<string, number> = {};
  for (const table of source.tables) counts[table.name] = await countRows(source, table);
  const progress = progressFor(Object.values(counts).reduce((sum, count) => sum + count, 0));
  const checksums = new Checksums(source.tables);
  yield lineOf(headerOf(deployment, counts));
  for (const table of source.tables) {
    yield lineOf({ table: table.name, columns: namesOf(table) });
    for await (const rows of rowsOf(source, table)) {
      progress.add(rows.length, table.name);
      yield checksums.add(table, rows);
    }
  }
  yield lineOf({ end: checksums.finish() });
  progress.end();
}

export async function countRows({ select }: TransferConnection, { name }: TransferTable): Promise<number> {
  const [rows] = await Array.fromAsync(select(`SELECT count(*) FROM ${name}`));
  return Number(rows?.[0]?.[0]);
}

/** Byte order: the same on every machine and engine, unlike a locale's. */
const byteCollation = { sqlite: 'COLLATE BINARY', postgres: 'COLLATE "C"' };

async function* rowsOf({ engine, select }: TransferConnection, table: TransferTable) {
  const names = namesOf(table).map((name) => `"${name}"`);
  const key = table.columns.filter(({ isPrimaryKey }) => isPrimaryKey);
  const order = key.map(({ name, type }) => `"${name}" ${type === 'TEXT' ? byteCollation[engine] : ''}`);
  for await (const rows of select(`SELECT ${names} FROM ${table.name} ORDER BY ${order}`))
    yield rows.map((row) => row.map((value) => (value === null ? null : String(value))));
}
