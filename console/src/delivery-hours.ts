import { DAY_MS, type Delivery, type DeliveryStatus } from './api/webhooks.ts';

const HOUR_MS = 3_600_000;
const HOURS = DAY_MS / HOUR_MS;

export interface Hour {
  readonly from: string;
  readonly counts: Readonly<Record<DeliveryStatus, number>>;
  readonly total: number;
}

/** Deliveries of the last 24 hours, grouped by the hour they were created; each counts once, by its latest status. */
export function hoursOf(deliveries: readonly Delivery[], now = Date.now()): Hour[] {
  const first = Math.floor(now / HOUR_MS) - HOURS + 1;
  const hours = Array.from({ length: HOURS }, () => ({ pending: 0, delivered: 0, failed: 0 }));
  for (const { createdAt, status } of deliveries) {
    const hour = hours[Math.floor(Date.parse(createdAt) / HOUR_MS) - first];
    if (hour) hour[status] += 1;
  }
  return hours.map((counts, index) => ({
    from: new Date((first + index) * HOUR_MS).toISOString(),
    counts,
    total: counts.pending + counts.delivered + counts.failed,
  }));
}
