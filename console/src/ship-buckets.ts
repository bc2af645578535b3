import type { StoreSummary } from '../../client/src/index.ts';
import { type OrderStatus, orderStatuses } from './api/store.ts';

const DAY = 86_400_000;
/** A Monday: weeks start on Mondays. */
const ORIGIN = Date.parse('1970-01-05T00:00:00Z');
/** Dates in the API have four-digit years. */
const EARLIEST = Date.parse('0000-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');
const sizes = [7, 14, 28, 91, 182, 364, 3_640, 36_400, 364_000];
/** Labels of bucket sizes, by their number of days. */
const names: Readonly<Record<number, string>> = {
  7: '1 week',
  14: '2 weeks',
  28: '4 weeks',
  91: '3 months',
  182: '6 months',
  364: '1 year',
  3640: '10 years',
  36400: '100 years',
  364000: '1,000 years',
};
export const bucketSizeName = (days: number) => names[days] ?? `${days} days`;

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

export const totalOf = (counts: Readonly<Record<OrderStatus, number>>) =>
  orderStatuses.reduce((sum, status) => sum + counts[status], 0);

/** Groups the weeks of a summary into buckets of equal size. */
export function bucketsOf(weeks: StoreSummary['weeks'], maxBuckets = 26): Buckets {
  const [first, last] = [weeks[0], weeks.at(-1)];
  if (!first || !last) return { days: 7, buckets: [] };
  const bucketIndex = (week: string, days: number) => Math.floor((Date.parse(week) - ORIGIN) / (days * DAY));
  const days =
    sizes.find((size) => bucketIndex(last.week, size) - bucketIndex(first.week, size) < maxBuckets) ??
    364_000;
  const start = bucketIndex(first.week, days);
  const counts = Array.from({ length: bucketIndex(last.week, days) - start + 1 }, () =>
    Object.fromEntries(orderStatuses.map((status) => [status, 0])),
  ) as Array<Record<OrderStatus, number>>;
  for (const { week, ...weekCounts } of weeks) {
    const bucket = counts[bucketIndex(week, days) - start];
    if (bucket) for (const status of orderStatuses) bucket[status] += weekCounts[status];
  }
  const timeOf = (index: number) => {
    const at = ORIGIN + (start + index) * days * DAY;
    return new Date(Math.min(Math.max(at, EARLIEST), LATEST)).toISOString().replace('.000', '');
  };
  return {
    days,
    buckets: counts.map((bucket, index) => ({
      from: timeOf(index),
      to: timeOf(index + 1),
      counts: bucket,
      total: totalOf(bucket),
    })),
  };
}
