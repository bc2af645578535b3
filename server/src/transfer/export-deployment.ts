import type { DeploymentName } from '../deployment.ts';
import { headerOf, lineOf, Summing } from './format.ts';
import type { Progress } from './progress.ts';
import { countRows, namesOf, rowsOf, type TransferConnection } from './tables.ts';

export async function* exportDeployment(
  deployment: DeploymentName,
  source: TransferConnection,
  progressFor: (total: number) => Progress,
): AsyncGenerator<string> {
  const counts: Record<string, number> = {};
  for (const table of source.tables) counts[table.name] = await countRows(source, table);
  const progress = progressFor(Object.values(counts).reduce((sum, count) => sum + count, 0));
  const summing = new Summing(source.tables);
  yield lineOf(headerOf(deployment, counts));
  for (const table of source.tables) {
    yield lineOf({ table: table.name, columns: namesOf(table) });
    for await (const rows of rowsOf(source, table)) {
      progress.add(rows.length, table.name);
      yield summing.add(table, rows);
    }
  }
  yield lineOf({ end: summing.finish() });
  progress.end();
}
