/** Rounds up to 1, 2, 5, 10, 20, 50 and so on. */
function roundStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, size)));
  return power * ([1, 2, 5].find((factor) => factor * power >= size) ?? 10);
}

/** The values of the grid lines: at most three round steps, from 0 to the first line at or above the largest value. */
export function valueLines(largest: number): readonly number[] {
  const gap = roundStep(Math.max(1, largest) / 3);
  return Array.from({ length: Math.ceil(Math.max(1, largest) / gap) + 1 }, (_, line) => line * gap);
}

export interface Tick {
  readonly at: number;
  readonly label: string;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30.44 * DAY;
/** A Monday: weeks start on Mondays. */
const MONDAY = Date.parse('1970-01-05T00:00:00Z');

/** Steps of fixed length, in milliseconds, then steps in months. */
const fixed = [5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 7 * DAY, 14 * DAY];
const monthly = [
  1,
  3,
  6,
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].map((years) => 12 * years),
];

const formatOf = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
const times = formatOf({ hour: '2-digit', minute: '2-digit' });
const days = formatOf({ day: 'numeric', month: 'short' });
const months = formatOf({ month: 'short' });
const years = formatOf({ year: 'numeric' });

/** Ticks at calendar boundaries in UTC. A tick at the start of a day or year is labelled with that day or year. */
export function timeTicks(from: number, to: number, maxTicks: number): readonly Tick[] {
  const size = fixed.find((step) => (to - from) / step <= maxTicks);
  if (size !== undefined) {
    const origin = size >= DAY ? MONDAY : 0;
    const first = Math.ceil((from - origin) / size);
    const count = Math.floor((to - origin) / size) - first + 1;
    return Array.from({ length: Math.max(0, count) }, (_, index) => {
      const at = origin + (first + index) * size;
      return { at, label: (at % DAY === 0 ? days : times).format(at) };
    });
  }
  const step = monthly.find((months) => (to - from) / (months * MONTH) <= maxTicks) ?? 12 * 10_000;
  const ticks: Tick[] = [];
  const start = new Date(from);
  for (
    let month = Math.ceil((start.getUTCFullYear() * 12 + start.getUTCMonth()) / step) * step;
    ;
    month += step
  ) {
    const at = new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1);
    if (at > to) return ticks;
    if (at >= from) ticks.push({ at, label: (month % 12 === 0 ? years : months).format(at) });
  }
}
