/** RFC 3339, and `+0000` for UTC, as several languages write it. */
const rfc3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|\+0000|([+-])(\d\d):(\d\d))$/;

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
export const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** UTC, with milliseconds and `Z`. */
export function writeDateTime(time: bigint): string {
  return new Date(Number(time)).toISOString();
}
