import { figure } from './table.ts';

export interface ChartBar {
  readonly label: string;
  readonly value: number;
  /** Our own figure stands out. */
  readonly ours?: boolean;
}

const WIDTH = 720;
const LABELS = 210;
const FIGURES = 90;
const LINE = 30;

/** A bar chart as SVG text, legible on light and on dark pages. */
export function barChart(title: string, unit: string, bars: readonly ChartBar[]): string {
  const most = Math.max(...bars.map(({ value }) => value));
  const height = 48 + bars.length * LINE + 10;
  const lines = bars.map(({ label, value, ours }, index) => {
    const y = 48 + index * LINE;
    const width = Math.max(2, (value / most) * (WIDTH - LABELS - FIGURES));
    return [
      `<text x="${LABELS - 10}" y="${y + 15}" text-anchor="end">${escaped(label)}</text>`,
      `<rect x="${LABELS}" y="${y}" width="${width.toFixed(1)}" height="20" rx="3" class="${ours ? 'ours' : 'other'}"/>`,
      `<text x="${(LABELS + width + 8).toFixed(1)}" y="${y + 15}">${figure(value)}</text>`,
    ].join('\n');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">
<style>
text { font: 14px system-ui, sans-serif; fill: #24292f; }
.title { font-weight: 600; }
.unit { fill: #57606a; }
.ours { fill: #0a7a5c; }
.other { fill: #8c959f; }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .unit { fill: #9198a1; } .ours { fill: #2ea98a; } .other { fill: #6e7681; } }
</style>
<text x="10" y="24" class="title">${escaped(title)} <tspan class="unit" font-weight="400">${escaped(unit)}</tspan></text>
${lines.join('\n')}
</svg>
`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
