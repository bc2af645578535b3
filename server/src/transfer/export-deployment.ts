import type { DeploymentName } from '../deployment.ts';
import { endLine, headerLine, tableLine } from './format.ts';
import type { Progress } from './progress.ts';
import { Summing } from './sums.ts';
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
  yield headerLine(deployment, counts);
  for (const table of source.tables) {
    yield tableLine(table);
    for await (const rows of source.rows(table)) {
      progress.add(rows.length, table.name);
      yield summing.add(table, rows);
    }
  }
  yield endLine(summing.finish());
  progress.end();
}
