import { readFileSync } from 'node:fs';
import type { Row } from './row.ts';
import { figure } from './table.ts';

/** Which rows got worse than in a saved run by more than that run's own spread. */
export function comparison(rows: readonly Row[], file: string): string {
  const saved = (JSON.parse(readFileSync(file, 'utf8')) as { rows: Row[] }).rows;
  const lines = rows.flatMap((row) => {
    const before = saved.find(({ what, engine }) => what === row.what && engine === row.engine);
    if (!before || !isWorse(row, before)) return [];
    const { unit } = row;
    return [
      `worse: ${row.what} (${row.engine ?? 'either engine'}): ${figure(row.median)} ${unit}, was ${figure(before.median)} (${figure(before.low)} to ${figure(before.high)})`,
    ];
  });
  const compared = rows.filter((row) =>
    saved.some(({ what, engine }) => what === row.what && engine === row.engine),
  );
  return lines.length > 0 ? lines.join('\n') : `none of ${compared.length} rows is worse than in ${file}`;
}

/** Rates and ratios are better when they are higher, times and memory when they are lower, unless a bar says otherwise. */
function isWorse(now: Row, before: Row): boolean {
  const isBetterHigher =
    now.bar === undefined ? now.unit === '×' || now.unit === '/s' : now.bar.startsWith('≥');
  return isBetterHigher ? now.median < before.low : now.median > before.high;
}
