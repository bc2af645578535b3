import { readFileSync, writeFileSync } from 'node:fs';
import type { Row } from './measure/compare.ts';
import { moreRounds, verdict } from './measure/interval.ts';

const page = new URL('../../docs/PERFORMANCE.md', import.meta.url);
const BEGIN = '<!-- results -->';
const END = '<!-- end of results -->';

export const columns = [
  'measurement',
  'at most',
  'median',
  '99% interval',
  'verdict',
  'per request, and rates',
];

export function cellsOf({ what, limit, unit, estimate, figures, because }: Row): string[] {
  const { rounds, median, low, high } = estimate;
  const result = verdict(estimate, limit);
  const more = Number.isFinite(low)
    ? `${moreRounds(estimate, limit)} more rounds would decide`
    : 'too few rounds';
  const verdicts = { holds: 'holds', missed: 'MISSED', undecided: `undecided: ${more}` };
  return [
    what,
    `${figure(limit)} ${unit}`,
    `${figure(median)} ${unit}`,
    `${figure(low)} to ${figure(high)} (${rounds})`,
    verdicts[result] + (result === 'missed' && because ? `: ${because}` : ''),
    figures.join(' · '),
  ];
}

function figure(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(value >= 10 ? 1 : 2);
}

/** The rows as a plain-text table. */
export function table(rows: ReadonlyArray<readonly string[]>): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => (row[column] as string).length)));
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths?.[column] as number)).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}

/** Writes the table into the performance page, between its markers. */
export function writeResults(rows: readonly Row[], about: string): void {
  const [before, rest = ''] = readFileSync(page, 'utf8').split(BEGIN);
  const after = rest.split(END)[1] ?? '';
  const cells = [columns, columns.map(() => '---'), ...rows.map(cellsOf)];
  const lines = cells.map((row) => `| ${row.join(' | ')} |`);
  writeFileSync(page, `${before}${BEGIN}\n${[about, '', ...lines].join('\n')}\n${END}${after}`);
}
