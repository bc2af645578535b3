import { type ReactNode, useState } from 'react';
import { valueLines } from '../axis.ts';
import { count, plural, time } from '../format.ts';
import type { TimeColumn } from '../time-columns.ts';
import { useSize } from '../use-size.ts';
import { ChartLine, StackedColumn, TimeAxis } from './chart-parts.tsx';

const [TOP, BOTTOM, LEFT, HEIGHT] = [10, 24, 32, 180];
/** Pixels per label. */
const LABEL_SPACING = 56;

/** A status of the chart: its colour is the tone of the same name. */
type ChartStatus<S extends string> = readonly [status: S, name: string];

/** Stacked columns over time, also available as a table. */
export function TimeChart<S extends string>({
  columns,
  statuses,
  size,
  step,
  noun,
  children,
}: {
  readonly columns: readonly TimeColumn<S>[];
  readonly statuses: readonly ChartStatus<S>[];
  /** Duration of a column in milliseconds, and in words. */
  readonly size: number;
  readonly step: string;
  readonly noun: readonly [one: string, many: string];
  /** A legend, below the chart. */
  readonly children?: ReactNode;
}) {
  const [box, { width }] = useSize<HTMLDivElement>();
  const [hovered, setHovered] = useState<string>();
  const lines = valueLines(columns.reduce((max, { total }) => Math.max(max, total), 1));
  const columnWidth = Math.max(0, width - LEFT) / columns.length;
  const barWidth = Math.max(2, Math.min(26, columnWidth - Math.max(2, columnWidth * 0.25)));
  const base = HEIGHT - BOTTOM;
  const scale = (base - TOP) / (lines.at(-1) ?? 1);
  const start = Date.parse(columns[0]?.from ?? '');
  const end = start + columns.length * size;
  const shown = columns.find(({ from }) => from === hovered);
  const countsText = ({ counts, total }: TimeColumn<S>) => {
    if (total === 0) return `no ${noun[1]}`;
    const present = statuses.filter(([status]) => counts[status] > 0);
    return `${plural(total, ...noun)}, ${present.map(([status, name]) => `${count(counts[status])} ${name.toLowerCase()}`).join(', ')}`;
  };
  return (
    <div>
      <p className="mb-1 h-5 truncate text-ink-soft text-sm" aria-hidden="true">
        {shown ? `${time(shown.from)} UTC: ${countsText(shown)}` : `${step} per column`}
      </p>
      <div ref={box} className="relative h-[180px]">
        <svg width={width} height={HEIGHT} aria-hidden="true" className="absolute inset-0">
          {lines.map((value) => (
            <ChartLine
              key={value}
              value={value}
              label={count(value)}
              y={base - value * scale}
              left={LEFT}
              width={width}
            />
          ))}
          {width > 0 &&
            columns.map((column, index) => (
              <g
                key={column.from}
                onPointerEnter={() => setHovered(column.from)}
                onPointerLeave={() => setHovered(undefined)}
              >
                <rect
                  x={LEFT + index * columnWidth}
                  width={columnWidth}
                  height={base}
                  className={hovered === column.from ? 'fill-sunken' : 'fill-transparent'}
                />
                <StackedColumn
                  statuses={statuses.map(([status]) => status)}
                  counts={column.counts}
                  x={LEFT + index * columnWidth + (columnWidth - barWidth) / 2}
                  base={base}
                  width={barWidth}
                  scale={scale}
                />
              </g>
            ))}
          {width > 0 && (
            <TimeAxis from={start} to={end} left={LEFT} width={width} base={base} spacing={LABEL_SPACING} />
          )}
        </svg>
      </div>
      {children && <div className="mt-2">{children}</div>}
      <details className="mt-3">
        <summary className="font-semibold text-accent text-sm">Show as table</summary>
        <table className="mt-2 w-full text-left text-sm">
          <thead className="text-ink-soft">
            <tr>
              <th scope="col" className="py-1 font-semibold">
                From (UTC)
              </th>
              {statuses.map(([status, name]) => (
                <th key={status} scope="col" className="py-1 text-right font-semibold">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {columns
              .filter(({ total }) => total > 0)
              .map((column) => (
                <tr key={column.from} className="border-line border-t">
                  <th scope="row" className="py-1 font-normal">
                    {time(column.from)}
                  </th>
                  {statuses.map(([status]) => (
                    <td key={status} className="py-1 text-right">
                      {count(column.counts[status])}
                    </td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </div>
  );
}
