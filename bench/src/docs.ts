import { readFileSync, writeFileSync } from 'node:fs';
import type { Row } from './row.ts';
import { figure, figuresOf } from './table.ts';

const page = new URL('../../docs/PERFORMANCE.md', import.meta.url);
const BEGIN = '<!-- results -->';
const END = '<!-- end of results -->';

/** Puts the table into the page about performance, between its two marks. */
export function writeResults(rows: readonly Row[], run: { date: string; machine: string }): void {
  const text = readFileSync(page, 'utf8');
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin === -1 || end === -1)
    throw new Error('docs/PERFORMANCE.md has lost the marks around its results');
  const lines = rows.map(
    (row) =>
      `| ${row.what} | ${row.engine ?? ''} | ${row.bar ?? ''} | ${figure(row.median)} ${row.unit} | ${row.low === row.high ? '' : `${figure(row.low)} to ${figure(row.high)}`} | ${row.holds === undefined ? '' : row.holds ? 'holds' : '**missed**'} | ${figuresOf(row).join(', ')} |`,
  );
  const table = [
    `${run.date.slice(0, 10)}, ${run.machine}`,
    '',
    '| what | engine | bar | median | spread | | figures |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
  writeFileSync(page, `${text.slice(0, begin + BEGIN.length)}\n${table}\n${text.slice(end)}`);
}
