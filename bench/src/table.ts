import type { Result } from './bar.ts';

/** The results as a plain-text table. */
export function table(results: readonly Result[]): string {
  const lines = [['measurement', 'target', 'median', 'range', 'result', 'figures'], ...results.map(cellsOf)];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** What, bar, median, lowest to highest, verdict, figures. */
export function cellsOf({ what, bar, unit, values, median, holds, figures }: Result): string[] {
  const spread = `${figure(Math.min(...values))} to ${figure(Math.max(...values))}`;
  return [
    what,
    bar,
    `${figure(median)} ${unit}`,
    values.length > 1 ? spread : '',
    holds ? 'met' : 'MISSED',
    Object.entries(figures)
      .map(([name, value]) => `${name} ${figure(value)}`)
      .join(', '),
  ];
}

function figure(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(size >= 10 ? 1 : 2);
}
