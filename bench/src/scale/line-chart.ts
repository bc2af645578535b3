import { figure } from '../table.ts';

export interface Line {
  readonly label: string;
  readonly values: readonly number[];
}

const WIDTH = 240;
const HEIGHT = 130;
const COLUMNS = 3;

/** One small chart for each line, sizes and values both by powers of ten: what is flat looks flat. */
export function lineChart(title: string, sizes: readonly number[], lines: readonly Line[]): string {
  const rows = Math.ceil(lines.length / COLUMNS);
  const charts = lines.map((line, i) => {
    const x = (i % COLUMNS) * WIDTH;
    const y = 40 + Math.floor(i / COLUMNS) * HEIGHT;
    return `<g transform="translate(${x} ${y})">${small(line, sizes)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH * COLUMNS} ${50 + rows * HEIGHT}" role="img" aria-label="${title}">
<style>
text { font: 12px system-ui, sans-serif; fill: #24292f; }
.title { font-weight: 600; font-size: 14px; }
.unit { fill: #57606a; }
polyline { fill: none; stroke: #0a7a5c; stroke-width: 2; }
line { stroke: #d0d7de; }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .unit { fill: #9198a1; } polyline { stroke: #2ea98a; } line { stroke: #3d444d; } }
</style>
<text x="10" y="22" class="title">${title} <tspan class="unit" font-weight="400">from ${figure(sizes[0] ?? 0)} to ${figure(sizes.at(-1) ?? 0)}, powers of ten both ways</tspan></text>
${charts.join('\n')}
</svg>
`;
}

function small({ label, values }: Line, sizes: readonly number[]): string {
  const [left, width, bottom, height] = [14, WIDTH - 34, 100, 66];
  // Every chart spans at least three powers of ten, so that noise does not look like growth.
  const least = Math.floor(Math.log10(Math.max(0.1, Math.min(...values))));
  const span = Math.max(3, Math.ceil(Math.log10(Math.max(...values))) - least);
  const points = values.map((value, i) => {
    const x = left + (width * i) / Math.max(1, sizes.length - 1);
    const y = bottom - (height * (Math.log10(Math.max(0.1, value)) - least)) / span;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const [first = 0, last = 0] = [values[0], values.at(-1)];
  return [
    `<text x="${left}" y="16">${label} <tspan class="unit">${figure(first)} → ${figure(last)}</tspan></text>`,
    `<line x1="${left}" y1="${bottom}" x2="${left + width}" y2="${bottom}"/>`,
    `<polyline points="${points.join(' ')}"/>`,
  ].join('');
}
