export interface Panel {
  readonly title: string;
  readonly values: readonly number[];
}

const WIDTH = 720;
const HEIGHT = 90;
const LEFT = 190;
const TOP = 40;

/** One line chart per panel, from zero to a little above its maximum, as SVG legible on light and dark pages. */
export function panels(title: string, all: readonly Panel[]): string {
  const drawn = all.map(({ title: name, values }, index) => {
    const y = TOP + index * (HEIGHT + 14);
    const most = Math.max(...values, 1e-9) * 1.15;
    const points = values.map((value, i) => {
      const x = LEFT + (i / Math.max(1, values.length - 1)) * (WIDTH - LEFT - 70);
      return `${x.toFixed(1)},${(y + HEIGHT - (value / most) * HEIGHT).toFixed(1)}`;
    });
    const [first = 0, last = 0] = [values[0], values.at(-1)];
    return [
      `<rect x="${LEFT}" y="${y}" width="${WIDTH - LEFT - 70}" height="${HEIGHT}" class="panel"/>`,
      `<text x="${LEFT - 10}" y="${y + 20}" text-anchor="end">${name}</text>`,
      `<text x="${LEFT - 10}" y="${y + 42}" text-anchor="end" class="unit">from ${first.toFixed(1)} to ${last.toFixed(1)}</text>`,
      `<polyline points="${points.join(' ')}"/>`,
    ].join('\n');
  });
  const height = TOP + all.length * (HEIGHT + 14);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">
<style>
text { font: 14px system-ui, sans-serif; fill: #24292f; }
.title { font-weight: 600; }
.unit { fill: #57606a; }
.panel { fill: none; stroke: #d0d7de; }
polyline { fill: none; stroke: #0a7a5c; stroke-width: 2; }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .unit { fill: #9198a1; } .panel { stroke: #3d444d; } polyline { stroke: #2ea98a; } }
</style>
<text x="10" y="24" class="title">${title}</text>
${drawn.join('\n')}
</svg>
`;
}
