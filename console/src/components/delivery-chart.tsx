import { useState } from 'react';
import type { DeliveryStatus } from '../api/webhooks.ts';
import type { Hour } from '../delivery-hours.ts';
import { count, plural, time } from '../format.ts';
import { useSize } from '../use-size.ts';
import { ChartLine, StackedColumn } from './chart-parts.tsx';
import { deliveryNames } from './mark.tsx';

const [TOP, BOTTOM, LEFT, HEIGHT] = [10, 24, 32, 180];
const statuses: readonly DeliveryStatus[] = ['delivered', 'pending', 'failed'];

/** Deliveries of the last day, one column per hour, also available as a table. */
export function DeliveryChart({ hours }: { readonly hours: readonly Hour[] }) {
  const [box, { width }] = useSize<HTMLDivElement>();
  const [pointed, point] = useState<string>();
  const most = hours.reduce((max, { total }) => Math.max(max, total), 1);
  const step = Math.max(0, width - LEFT) / hours.length;
  const bar = Math.max(2, Math.min(26, step - Math.max(2, step * 0.25)));
  const base = HEIGHT - BOTTOM;
  const scale = (base - TOP) / most;
  const apart = step > 0 ? Math.ceil(48 / step) : hours.length;
  const shown = hours.find(({ from }) => from === pointed);
  const sum = (status: DeliveryStatus) => hours.reduce((total, { counts }) => total + counts[status], 0);
  return (
    <div>
      <dl className="mb-4 flex flex-wrap gap-x-8 gap-y-2">
        {statuses.map((status) => (
          <div key={status} className={`tone-${status} flex flex-col-reverse`}>
            <dt className="flex items-center gap-1.5 font-semibold text-[var(--tone)] text-sm">
              <span className="tone-bg size-2.5 rounded-full" aria-hidden="true" />
              {deliveryNames[status]}
            </dt>
            <dd className="numbers font-display font-semibold text-3xl leading-none">{count(sum(status))}</dd>
          </div>
        ))}
      </dl>
      <p className="mb-1 h-5 truncate text-ink-soft text-sm" aria-hidden="true">
        {shown ? `${time(shown.from)} UTC: ${parts(shown)}` : '1 hour per column'}
      </p>
      <div ref={box} className="relative h-[180px]">
        <svg width={width} height={HEIGHT} aria-hidden="true" className="absolute inset-0">
          {[0, most].map((value) => (
            <ChartLine
              key={value}
              value={value}
              shown={String(value)}
              y={base - value * scale}
              left={LEFT}
              width={width}
            />
          ))}
          {hours.map((hour, index) => {
            const x = LEFT + index * step + (step - bar) / 2;
            return (
              <g
                key={hour.from}
                onPointerEnter={() => point(hour.from)}
                onPointerLeave={() => point(undefined)}
              >
                <rect
                  x={LEFT + index * step}
                  width={step}
                  height={base}
                  className={pointed === hour.from ? 'fill-sunken' : 'fill-transparent'}
                />
                <StackedColumn
                  statuses={statuses}
                  counts={hour.counts}
                  x={x}
                  base={base}
                  width={bar}
                  scale={scale}
                />
                {(hours.length - 1 - index) % apart === 0 && (
                  <text
                    x={Math.min(x + bar / 2, width - 16)}
                    y={HEIGHT - 6}
                    textAnchor="middle"
                    className="fill-ink-soft text-xs"
                  >
                    {time(hour.from)}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
      </div>
      <details className="mt-3">
        <summary className="font-semibold text-accent text-sm">Show as table</summary>
        <table className="mt-2 w-full text-left text-sm">
          <thead className="text-ink-soft">
            <tr>
              <th scope="col" className="py-1 font-semibold">
                From (UTC)
              </th>
              {statuses.map((status) => (
                <th key={status} scope="col" className="py-1 text-right font-semibold">
                  {deliveryNames[status]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hours
              .filter(({ total }) => total > 0)
              .map((hour) => (
                <tr key={hour.from} className="border-line border-t">
                  <th scope="row" className="py-1 font-normal">
                    {time(hour.from)}
                  </th>
                  {statuses.map((status) => (
                    <td key={status} className="py-1 text-right">
                      {count(hour.counts[status])}
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

function parts({ counts, total }: Hour): string {
  const some = statuses.filter((status) => counts[status] > 0);
  if (total === 0) return 'no deliveries';
  return `${plural(total, 'delivery', 'deliveries')}, ${some.map((status) => `${count(counts[status])} ${deliveryNames[status].toLowerCase()}`).join(', ')}`;
}
