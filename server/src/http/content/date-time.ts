/** RFC 3339, and `+0000` for UTC, as several languages write it. */
const rfc3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|\+0000|([+-])(\d\d):(\d\d))$/;
/** Characters of the shortest and the longest of them: `…00Z` and `…00.123456789+00:00`. */
export const DATE_TIME_LENGTH = { minLength: 20, maxLength: 35 } as const;

/** Milliseconds since 1970 of a date-time; undefined for anything else, dates that do not exist included. */
export function parseDateTime(text: string): bigint | undefined {
  const match = rfc3339.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const millisecond = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, millisecond);
  const exists =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  const [offsetHours, offsetMinutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (!exists || offsetHours > 23 || offsetMinutes > 59) return undefined;
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000 * (match[8] === '-' ? -1 : 1);
  const time = date.getTime() - offset;
  // A year of more than four digits could not be written as a date-time again.
  return time >= EARLIEST && time <= LATEST ? BigInt(time) : undefined;
}

const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

const DAY_MS = 86_400_000;
const MOST_DAYS = 10_000;
const days = new Map<number, string>();

/** Every part of a time of day, with the mark behind it: few pieces make a text that is quick to put together. */
const minutes = Array.from(
  { length: 1440 },
  (_, n) => `${digits(Math.floor(n / 60), 2)}:${digits(n % 60, 2)}:`,
);
const seconds = Array.from({ length: 60 }, (_, n) => `${digits(n, 2)}.`);
const milliseconds = Array.from({ length: 1000 }, (_, n) => `${digits(n, 3)}Z`);

function digits(number: number, count: number): string {
  return String(number).padStart(count, '0');
}

/** Writes what `Date.toISOString` would. A page has a hundred dates of few days, so the text of a day is kept. */
export function writeDateTime(time: bigint): string {
  const day = Math.floor(Number(time) / DAY_MS);
  const ofDay = Number(time) - day * DAY_MS;
  const minute = Math.floor(ofDay / 60_000);
  const ofMinute = ofDay - minute * 60_000;
  const second = Math.floor(ofMinute / 1000);
  return `${textOfDay(day)}${minutes[minute]}${seconds[second]}${milliseconds[ofMinute - second * 1000]}`;
}

function textOfDay(day: number): string {
  const known = days.get(day);
  if (known !== undefined) return known;
  if (days.size === MOST_DAYS) days.clear();
  const text = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length);
  days.set(day, text);
  return text;
}
