import { readFileSync, writeFileSync } from 'node:fs';
import type { Result } from './bar.ts';
import { cellsOf } from './table.ts';

const page = new URL('../../docs/PERFORMANCE.md', import.meta.url);
const BEGIN = '<!-- results -->';
const END = '<!-- end of results -->';

/** Writes the table into the performance page, between its markers. */
export function writeResults(
  results: readonly Result[],
  { date, machine, node }: { date: string; machine: string; node: string },
): void {
  const [before, rest = ''] = readFileSync(page, 'utf8').split(BEGIN);
  const after = rest.split(END)[1] ?? '';
  const rows = [
    ['measurement', 'target', 'median', 'range', 'result', 'figures'],
    ['---', '---', '---', '---', '---', '---'],
    ...results.map(cellsOf),
  ];
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`);
  const text = [`${date.slice(0, 10)}, ${machine}, Node ${node}`, '', ...lines].join('\n');
  writeFileSync(page, `${before}${BEGIN}\n${text}\n${END}${after}`);
}
