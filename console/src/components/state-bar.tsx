import { type OrderStatus, orderStatuses } from '../api/store.ts';
import { count } from '../format.ts';
import { Link } from '../router/link.tsx';
import { useSize } from '../use-size.ts';
import { StatusMark, statusNames } from './status.tsx';

/** Largest font size times the number of digits that still fits its column, in cqi: percent of the column's width. */
const MAX_TEXT_WIDTH_CQI = 140;
const HEIGHT = 20;
const GAP = 4;

/** Orders by status: a stacked bar, and a count per status that links to its orders. */
export function StateBar({ counts }: { readonly counts: Readonly<Record<OrderStatus, number>> | undefined }) {
  const [box, { width }] = useSize<HTMLDivElement>();
  const present = orderStatuses.filter((status) => counts && counts[status] > 0);
  const total = present.reduce((sum, status) => sum + (counts?.[status] ?? 0), 0);
  const barWidth = width - GAP * Math.max(0, present.length - 1);
  let x = 0;
  return (
    <div ref={box}>
      <svg width={width} height={HEIGHT} aria-hidden="true" className="block rounded-full bg-sunken">
        {present.map((status) => {
          const size = (barWidth * (counts?.[status] ?? 0)) / total;
          const left = x;
          x += size + GAP;
          return (
            <rect
              key={status}
              x={left}
              width={Math.max(size, 3)}
              height={HEIGHT}
              rx={5}
              className={`tone-${status} tone-fill`}
            />
          );
        })}
      </svg>
      <ul className="-mx-3 mt-4 -mb-2 grid grid-cols-2 gap-3 md:grid-cols-4">
        {orderStatuses.map((status) => (
          <li key={status} className="@container">
            <Link
              to={`/orders?status=${status}`}
              className={`tone-${status} group block rounded-2xl p-3 hover:bg-[var(--tone-soft)]`}
            >
              <Count of={counts?.[status]} />
              <span className="mt-2 flex items-center gap-1.5 font-semibold text-[var(--tone)] text-sm">
                <StatusMark status={status} />
                {statusNames[status]}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A number in the largest font that fits its column. */
function Count({ of }: { readonly of: number | undefined }) {
  const text = of === undefined ? '' : count(of);
  return (
    <span
      className="block whitespace-nowrap font-display font-semibold text-4xl numbers leading-none"
      style={{ fontSize: `min(2.25rem, ${MAX_TEXT_WIDTH_CQI / Math.max(1, text.length)}cqi)` }}
    >
      {text || <span className="skeleton block h-[1em] w-12" />}
    </span>
  );
}
