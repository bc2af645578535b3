const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
const countFormat = new Intl.NumberFormat('en-GB');

/** Dates and times are in UTC, as in the API. */
export const day = (text: string) => dayFormat.format(new Date(text));
export const time = (text: string) => timeFormat.format(new Date(text));
export const count = (value: number) => countFormat.format(value);

const steps: ReadonlyArray<[Intl.RelativeTimeFormatUnit, number]> = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const inWords = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const inNumbers = new Intl.RelativeTimeFormat('en');
const dayNumber = (at: number) => Math.floor(at / 86_400_000);

/** Counts calendar days, so that "yesterday" agrees with the date shown next to it. */
export function relativeTime(text: string, now = Date.now()): string {
  const then = Date.parse(text);
  const seconds = (then - now) / 1_000;
  const [unit, size] = steps.find(([, least]) => Math.abs(seconds) >= least) ?? [];
  if (unit === undefined || size === undefined) return seconds > 0 ? 'in a few seconds' : 'just now';
  return unit === 'day'
    ? inWords.format(dayNumber(then) - dayNumber(now), unit)
    : inNumbers.format(Math.trunc(seconds / size), unit);
}

/** The duration between two times, in its one or two largest units. */
export function span(from: string, to: string): string {
  const minutes = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 60_000));
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${rest} min`;
  return rest > 0 ? `${rest} min` : 'less than a minute';
}

export const plural = (value: number, one: string, many = `${one}s`) =>
  `${count(value)} ${value === 1 ? one : many}`;

const clockFormat = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' });
/** A time to the second. */
export const clock = (text: string) => clockFormat.format(new Date(text));

export const milliseconds = (value: number) =>
  value < 10 ? `${value.toFixed(1)} ms` : `${count(Math.round(value))} ms`;

const SOON_MS = 48 * 3_600_000;

/** Relative time within 48 hours, otherwise the date. */
export function expiry(time: string): string {
  return Math.abs(Date.parse(time) - Date.now()) < SOON_MS ? relativeTime(time) : day(time);
}
