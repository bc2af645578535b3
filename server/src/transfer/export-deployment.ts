import type { DeploymentName } from '../deployment.ts';
import { headerOf } from './format.ts';
import type { Progress } from './progress.ts';
import { lineOf, Summing } from './sums.ts';
import type { TransferConnection } from './tables.ts';

export async function* exportDeployment(
  deployment: DeploymentName,
  source: TransferConnection,
  progressFor: (total: number) => Progress,
): AsyncGenerator<string> {
  const counts: Record<string, number> = {};
  for (const table of source.tables) counts[table.name] = await source.count(table);
  const progress = progressFor(Object.values(counts).reduce((sum, count) => sum + count, 0));
  const summing = new Summing();
  yield lineOf(headerOf(deployment, counts));
  for (const table of source.tables) {
    yield lineOf({ table: table.name, columns: Object.keys(table.columns) });
    for await (const rows of source.rows(table)) {
      progress.add(rows.length, table.name);
      yield summing.add(table, rows);
    }
  }
  yield lineOf({ end: summing.finish() });
  progress.end();
}
