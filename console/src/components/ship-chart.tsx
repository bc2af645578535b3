import { useState } from 'react';
import { orderStatuses } from '../api/store.ts';
import { valueLines } from '../axis.ts';
import { count, day, plural } from '../format.ts';
import { Link } from '../router/link.tsx';
import { hrefOf, navigate } from '../router/router.ts';
import { type Bucket, type Buckets, bucketSizeName } from '../ship-buckets.ts';
import { useSize } from '../use-size.ts';
import { ChartLine, StackedColumn, TimeAxis } from './chart-parts.tsx';

/** TOP leaves room for the label "Today". */
const [TOP, BOTTOM, LEFT] = [24, 26, 32];
/** Pixels per label. */
const LABEL_SPACING = 64;
/** Axis labels: 20,000 is 20K. */
const compact = new Intl.NumberFormat('en', { notation: 'compact' });

/** Orders by ship date; each column links to its orders. Also available as a table. */
export function ShipChart({ data: { days, buckets } }: { readonly data: Buckets }) {
  const [box, { width, height }] = useSize<HTMLDivElement>();
  const [hovered, setHovered] = useState<Bucket>();
  const largest = buckets.reduce((max, { total }) => Math.max(max, total), 1);
  const step = (width - LEFT) / Math.max(1, buckets.length);
  const barWidth = Math.max(2, Math.min(30, step - Math.max(2, step * 0.22)));
  const lines = valueLines(largest);
  const scale = Math.max(0, height - TOP - BOTTOM) / (lines.at(-1) ?? 1);
  const base = height - BOTTOM;
  const [start, end] = [Date.parse(buckets[0]?.from ?? ''), Date.parse(buckets.at(-1)?.to ?? '')];

  return (
    <div className="flex flex-1 flex-col">
      <p className="-mt-2 mb-2 h-5 truncate text-ink-soft text-sm" aria-hidden="true">
        {hovered ? describe(hovered, days) : `${bucketSizeName(days)} per column`}
      </p>
      <div ref={box} className="relative min-h-[220px] flex-1">
        <svg width={width} height={height} aria-hidden="true" className="absolute inset-0">
          {lines.map((value) => (
            <ChartLine
              key={value}
              value={value}
              label={compact.format(value)}
              y={base - value * scale}
              left={LEFT}
              width={width}
            />
          ))}
          {width > 0 &&
            buckets.map((bucket, index) => {
              const x = LEFT + index * step;
              return (
                <a
                  key={bucket.from}
                  href={hrefOf(ordersOf(bucket))}
                  tabIndex={-1}
                  onClick={(event) => {
                    event.preventDefault();
                    navigate(ordersOf(bucket));
                  }}
                  onPointerEnter={() => setHovered(bucket)}
                  onPointerLeave={() => setHovered(undefined)}
                >
                  <rect
                    x={x}
                    y={0}
                    width={step}
                    height={base}
                    className={hovered === bucket ? 'fill-sunken' : 'fill-transparent'}
                  />
                  <StackedColumn
                    statuses={orderStatuses}
                    counts={bucket.counts}
                    x={x + (step - barWidth) / 2}
                    base={base}
                    width={barWidth}
                    scale={scale}
                  />
                </a>
              );
            })}
          {width > 0 && (
            <TimeAxis from={start} to={end} left={LEFT} width={width} base={base} spacing={LABEL_SPACING} />
          )}
          <Today buckets={buckets} step={step} base={base} width={width} />
        </svg>
      </div>
      <details className="mt-3">
        <summary className="font-semibold text-accent text-sm">Show as table</summary>
        <div className="mt-2">
          <table className="w-full text-left text-sm">
            <thead className="text-ink-soft">
              <tr>
                <th scope="col" className="py-1 font-semibold">
                  From
                </th>
                <th scope="col" className="py-1 font-semibold">
                  Orders
                </th>
              </tr>
            </thead>
            <tbody>
              {buckets
                .filter(({ total }) => total > 0)
                .map((bucket) => (
                  <tr key={bucket.from} className="border-line border-t">
                    <th scope="row" className="py-1 font-normal">
                      <Link to={ordersOf(bucket)} className="link">
                        {day(bucket.from)}
                      </Link>
                    </th>
                    <td className="py-1">{countsText(bucket)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  );
}

function Today({
  buckets,
  step,
  base,
  width,
}: {
  readonly buckets: readonly Bucket[];
  readonly step: number;
  readonly base: number;
  readonly width: number;
}) {
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (!first || !last || step <= 0) return null;
  const [from, to] = [Date.parse(first.from), Date.parse(last.to)];
  const share = (Date.now() - from) / (to - from);
  if (share < 0 || share > 1) return null;
  const x = LEFT + share * step * buckets.length;
  return (
    <g className="pointer-events-none">
      <line x1={x} x2={x} y1={TOP - 6} y2={base} className="stroke-ink" strokeDasharray="3 3" />
      <text
        x={Math.min(Math.max(x, LEFT + 18), width - 18)}
        y={TOP - 10}
        textAnchor="middle"
        className="fill-ink font-semibold text-xs"
      >
        Today
      </text>
    </g>
  );
}

const ordersOf = ({ from, to }: Bucket) => `/orders?shipDateFrom=${from}&shipDateTo=${to}&sort=shipDate`;

const countsText = ({ counts }: Bucket) =>
  orderStatuses
    .filter((status) => counts[status] > 0)
    .map((status) => `${count(counts[status])} ${status}`)
    .join(', ') || 'none';

function describe(bucket: Bucket, days: number): string {
  const name = `${days === 7 ? 'Week of' : 'From'} ${day(bucket.from)}`;
  return `${name}: ${plural(bucket.total, 'order')}${bucket.total ? ` (${countsText(bucket)})` : ''}`;
}
