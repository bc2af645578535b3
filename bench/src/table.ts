import type { Row } from './row.ts';

/** The rows as a table for people. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.what,
    row.engine ?? '',
    row.bar ?? '',
    `${figure(row.median)} ${row.unit}`,
    row.low === row.high ? '' : `${figure(row.low)} to ${figure(row.high)}`,
    row.holds === undefined ? '' : row.holds ? 'holds' : 'MISSED',
    [...figuresOf(row), ...(row.note === undefined ? [] : [row.note])].join(', '),
  ]);
  const all = [['what', 'engine', 'bar', 'measured', 'spread', '', 'figures'], ...cells];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((line) => line[column]?.length ?? 0))) ?? [];
  return all
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The figures behind a row, each with its name. */
export function figuresOf({ figures }: Row): string[] {
  return Object.entries(figures).map(([name, value]) => `${name} ${figure(value)}`);
}

export function figure(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(size >= 10 ? 1 : 2);
}
