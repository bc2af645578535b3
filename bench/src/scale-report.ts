import { writeFileSync } from 'node:fs';
import { markdownTable, writeSection } from './report.ts';
import { operations, type ScaleRow } from './rows/scale.ts';

const docs = new URL('../../docs/', import.meta.url);
const TITLE = 'CPU time per request as a deployment grows';

export const scaleColumns = ['engine', 'what grows', 'to', ...operations];

export function scaleCells({ engine, growth, size, costs }: ScaleRow): string[] {
  const figures = operations.map((operation) => costs[operation]?.toFixed(0) ?? '–');
  return [engine, growth, size.toLocaleString('en'), ...figures];
}

/** Writes the table and the chart into SCALE.md. */
export function writeScale(rows: readonly ScaleRow[], about: string): void {
  const table = markdownTable([scaleColumns, ...rows.map(scaleCells)]);
  const image = `![${TITLE}](charts/growth.svg)`;
  writeSection('SCALE.md', 'growth', `${about}\n\n${table}\n\n${image}`);
  writeFileSync(new URL('charts/growth.svg', docs), chart(rows));
}

const [WIDTH, HEIGHT, LEFT, TOP, GAP] = [340, 130, 60, 50, 40];
const colors = ['#0a7a5c', '#0969da', '#8250df', '#bf3989', '#bc4c00', '#9a6700', '#57606a'];

/** A panel for each engine and each growth, with a line for each operation; costs on a logarithmic axis. */
export function chart(rows: readonly ScaleRow[]): string {
  const all = rows.flatMap(({ costs }) => Object.values(costs));
  const [low, high] = [Math.log10(Math.min(...all)), Math.log10(Math.max(...all))];
  const groups = [...Map.groupBy(rows, ({ engine, growth }) => `${growth}, ${engine}`)];
  const panels = groups.map(([title, group], index) => {
    const x = LEFT + (index % 2) * (WIDTH + GAP);
    const y = TOP + Math.floor(index / 2) * (HEIGHT + GAP);
    const lines = operations.map((operation, color) => {
      const points = group.flatMap(({ costs: { [operation]: cost } }, at) =>
        cost === undefined
          ? []
          : [
              `${x + (at / Math.max(1, group.length - 1)) * WIDTH},${(y + HEIGHT - ((Math.log10(cost) - low) / (high - low || 1)) * HEIGHT).toFixed(1)}`,
            ],
      );
      return `<polyline points="${points.join(' ')}" stroke="${colors[color]}"/>`;
    });
    const sizes = group.map(({ size }) => size.toLocaleString('en')).join(' → ');
    return `<rect x="${x}" y="${y}" width="${WIDTH}" height="${HEIGHT}"/><text x="${x}" y="${y - 6}">${title}: ${sizes}</text>${lines.join('')}`;
  });
  const legend = operations.map(
    (operation, index) =>
      `<text x="${LEFT + index * 90}" y="18" style="fill:${colors[index]}">${operation}</text>`,
  );
  const height = TOP + Math.ceil(groups.length / 2) * (HEIGHT + GAP);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + 2 * (WIDTH + GAP)} ${height}" role="img" aria-label="${TITLE}">
<style>
text { font: 13px system-ui, sans-serif; fill: #57606a; }
rect { fill: none; stroke: #d0d7de; }
polyline { fill: none; stroke-width: 2; }
@media (prefers-color-scheme: dark) { text { fill: #9198a1; } rect { stroke: #3d444d; } }
</style>
${[...legend, ...panels].join('\n')}
</svg>
`;
}
