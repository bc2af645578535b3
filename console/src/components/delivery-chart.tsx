import type { Delivery, DeliveryStatus } from '../api/webhooks.ts';
import { count } from '../format.ts';
import { columnsOf } from '../time-columns.ts';
import { deliveryNames } from './mark.tsx';
import { TimeChart } from './time-chart.tsx';

const HOUR_MS = 3_600_000;
const statuses: readonly DeliveryStatus[] = ['delivered', 'pending', 'failed'];

/** Deliveries of the last day by the hour they were created; each counts once, by its latest status. */
export function DeliveryChart({
  deliveries,
  now,
}: {
  readonly deliveries: readonly Delivery[];
  readonly now: number;
}) {
  const hours = columnsOf(deliveries, statuses, ({ createdAt, status }) => [createdAt, status], {
    size: HOUR_MS,
    count: 24,
    now,
  });
  const sum = (status: DeliveryStatus) => hours.reduce((total, { counts }) => total + counts[status], 0);
  return (
    <div>
      <dl className="mb-4 flex flex-wrap gap-x-5 gap-y-2 sm:gap-x-8">
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
      <TimeChart
        columns={hours}
        statuses={statuses.map((status) => [status, deliveryNames[status]])}
        size={HOUR_MS}
        step="1 hour"
        noun={['delivery', 'deliveries']}
      />
    </div>
  );
}
