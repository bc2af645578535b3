import { type Order, type OrderStatus, orderStatuses } from './api/store.ts';

const DAY = 86_400_000;
/** Weeks begin on a Monday, as this day is. */
const ORIGIN = Date.parse('1970-01-05T00:00:00Z');
const sizes = [1, 7, 14, 28, 91, 182, 364, 3_640, 36_400, 364_000];

export interface Bucket {
  readonly from: string;
  readonly to: string;
  readonly counts: Readonly<Record<OrderStatus, number>>;
  readonly total: number;
}

export interface Buckets {
  readonly days: number;
  readonly buckets: readonly Bucket[];
}

/** Counts orders by ship date, in steps large enough that there are at most so many of them. */
export function bucketsOf(orders: readonly Order[], most = 26): Buckets {
  const times = orders.map(({ shipDate }) => Date.parse(shipDate));
  if (times.length === 0) return { days: 1, buckets: [] };
  // `Math.min(...times)` fails when there are very many.
  const first = times.reduce((a, b) => Math.min(a, b));
  const last = times.reduce((a, b) => Math.max(a, b));
  const place = (time: number, days: number) => Math.floor((time - ORIGIN) / (days * DAY));
  const days = sizes.find((size) => place(last, size) - place(first, size) < most) ?? 364_000;
  const start = place(first, days);
  const counts = Array.from({ length: place(last, days) - start + 1 }, () =>
    Object.fromEntries(orderStatuses.map((status) => [status, 0])),
  ) as Array<Record<OrderStatus, number>>;
  orders.forEach(({ status }, index) => {
    const bucket = counts[place(times[index] as number, days) - start];
    if (bucket) bucket[status] += 1;
  });
  const moment = (index: number) =>
    new Date(ORIGIN + (start + index) * days * DAY).toISOString().replace('.000', '');
  return {
    days,
    buckets: counts.map((bucket, index) => ({
      from: moment(index),
      to: moment(index + 1),
      counts: bucket,
      total: orderStatuses.reduce((sum, status) => sum + bucket[status], 0),
    })),
  };
}
