import { timeTicks } from '../axis.ts';

/** A horizontal grid line with its value. */
export function ChartLine({
  value,
  label,
  y,
  left,
  width,
}: {
  readonly value: number;
  readonly label: string;
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
        {label}
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
    const height = counts[status] * scale;
    y -= height;
    return height === 0 ? null : (
      <rect
        key={status}
        x={x}
        y={y + 1}
        width={width}
        height={Math.max(1, height - 2)}
        rx={Math.min(4, width / 3)}
        className={`tone-${status} tone-fill`}
      />
    );
  });
}

/** Labels of the time axis that are closer than this to the right edge are right-aligned. */
const EDGE = 24;

/** Calendar ticks with their labels below a chart. */
export function TimeAxis({
  from,
  to,
  left,
  width,
  base,
  spacing,
}: {
  readonly from: number;
  readonly to: number;
  readonly left: number;
  readonly width: number;
  readonly base: number;
  /** Pixels per label. */
  readonly spacing: number;
}) {
  return timeTicks(from, to, (width - left) / spacing).map(({ at, label }) => {
    const x = left + ((at - from) / (to - from)) * (width - left);
    return (
      <g key={at} className="pointer-events-none">
        <line x1={x} x2={x} y1={base} y2={base + 4} className="stroke-line-strong" />
        <text
          x={x}
          y={base + 18}
          textAnchor={x > width - EDGE ? 'end' : 'middle'}
          className="numbers fill-ink-soft text-xs"
        >
          {label}
        </text>
      </g>
    );
  });
}

/** The colours of a chart. */
export function Legend({
  entries,
}: {
  readonly entries: ReadonlyArray<readonly [tone: string, name: string]>;
}) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-ink-soft text-sm">
      {entries.map(([tone, name]) => (
        <li key={tone} className={`tone-${tone} flex items-center gap-1.5`}>
          <span className="tone-bg size-2.5 rounded-full" aria-hidden="true" />
          {name}
        </li>
      ))}
    </ul>
  );
}
