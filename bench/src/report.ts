import { readFileSync, writeFileSync } from 'node:fs';
import type { Row } from './measure/compare.ts';
import { moreRounds, verdict } from './measure/interval.ts';

const docs = new URL('../../docs/', import.meta.url);

export const columns = [
  'measurement',
  'at most',
  'median',
  '99% interval',
  'verdict',
  'per request, and rates',
];

export function rowCells({ what, limit, unit, estimate, figures, because }: Row): string[] {
  const { rounds, median, low, high } = estimate;
  const result = verdict(estimate, limit);
  const needed = Number.isFinite(low) ? moreRounds(estimate, limit) : undefined;
  const more =
    needed === undefined ? 'too few rounds' : `${needed} more round${needed === 1 ? '' : 's'} needed`;
  const verdicts = { holds: 'holds', missed: 'MISSED', undecided: `undecided: ${more}` };
  return [
    what,
    `${figure(limit)} ${unit}`,
    `${figure(median)} ${unit}`,
    `${figure(low)} to ${figure(high)} (${rounds})`,
    verdicts[result] + (result === 'missed' && because ? `: ${because}` : ''),
    figures.join('; '),
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

/** Writes the table into the performance page. */
export function writeResults(rows: readonly Row[], about: string): void {
  writeSection('PERFORMANCE.md', 'results', `${about}\n\n${markdownTable([columns, ...rows.map(rowCells)])}`);
}

export function markdownTable([head = [], ...rows]: ReadonlyArray<readonly string[]>): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** The text of a page between `<!-- name -->` and `<!-- end of name -->`. */
export function readSection(page: string, name: string): string {
  return splitPage(page, name)[1].trimEnd();
}

export function writeSection(page: string, name: string, text: string): void {
  const [before, , after] = splitPage(page, name);
  writeFileSync(new URL(page, docs), `${before}${text}\n${after}`);
}

function splitPage(page: string, name: string): [before: string, text: string, after: string] {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
  const all = readFileSync(new URL(page, docs), 'utf8');
  const [from, to] = [all.indexOf(begin) + begin.length, all.indexOf(end)];
  if (from < begin.length || to < from) throw new Error(`docs/${page} has no section ${name}`);
  return [all.slice(0, from), all.slice(from, to), all.slice(to)];
}
