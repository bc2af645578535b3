/** A horizontal grid line with its value. */
export function ChartLine({
  value,
  shown,
  y,
  left,
  width,
}: {
  readonly value: number;
  readonly shown: string;
  readonly y: number;
  readonly left: number;
  readonly width: number;
}) {
  return (
    <g>
      <line
        x1={left}
        x2={width}
        y1={y}
        y2={y}
        className="stroke-line"
        strokeDasharray={value === 0 ? undefined : '2 4'}
      />
      <text x={left - 8} y={y + 4} textAnchor="end" className="numbers fill-ink-soft text-xs">
        {shown}
      </text>
    </g>
  );
}

/** One stacked column, with a segment per status. */
export function StackedColumn<S extends string>({
  statuses,
  counts,
  x,
  base,
  width,
  scale,
}: {
  readonly statuses: readonly S[];
  readonly counts: Readonly<Record<S, number>>;
  readonly x: number;
  readonly base: number;
  readonly width: number;
  readonly scale: number;
}) {
  let y = base;
  return statuses.map((status) => {
    const tall = counts[status] * scale;
    y -= tall;
    return tall === 0 ? null : (
      <rect
        key={status}
        x={x}
        y={y + 1}
        width={width}
        height={Math.max(1, tall - 2)}
        rx={Math.min(4, width / 3)}
        className={`tone-${status} tone-fill`}
      />
    );
  });
}

/** A mark on the time axis with its label; labels at the edges stay inside the chart. */
export function TimeTick({
  label,
  x,
  base,
  left,
  width,
}: {
  readonly label: string;
  readonly x: number;
  readonly base: number;
  readonly left: number;
  readonly width: number;
}) {
  const anchor = x < left + 18 ? 'start' : x > width - 18 ? 'end' : 'middle';
  return (
    <g className="pointer-events-none">
      <line x1={x} x2={x} y1={base} y2={base + 4} className="stroke-line-strong" />
      <text x={x} y={base + 18} textAnchor={anchor} className="numbers fill-ink-soft text-xs">
        {label}
      </text>
    </g>
  );
}
