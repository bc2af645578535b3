/** RFC 3339, and `+0000` for UTC, which several languages produce. */
const rfc3339 = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d+))?(?:[Zz]|\+0000|([+-])(\d\d):(\d\d))$/;

export function parseDateTime(text: string): bigint | undefined {
  const match = rfc3339.exec(text);
  if (!match) return undefined;
  const [, day, time = '', fraction = '', sign, hours = 0, minutes = 0] = match;
  // A leap second, which `Date` does not know, is the second after it.
  const isLeap = time.endsWith(':60');
  const utc = `${day}T${isLeap ? `${time.slice(0, -2)}59` : time}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
  const date = new Date(utc);
  const exists = !Number.isNaN(date.getTime()) && date.toISOString() === utc;
  if (!exists || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  const at = date.getTime() - (sign === '-' ? -offset : offset);
  if (isLeap && !isLastSecondOfMonth(at)) return undefined;
  // The offset may lead to a year that RFC 3339 cannot represent.
  const shown = isLeap ? at + 1_000 : at;
  return shown >= EARLIEST && shown <= LATEST ? BigInt(shown) : undefined;
}

/** Only there can a leap second be. */
function isLastSecondOfMonth(at: number): boolean {
  const next = new Date(Math.floor(at / 1_000 + 1) * 1_000);
  return next.toISOString().endsWith('-01T00:00:00.000Z');
}

export const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z');
export const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

export function writeDateTime(time: bigint): string {
  return new Date(Number(time)).toISOString();
}

/** Formats every bigint property, which is a time, as a date-time. */
export function writeTimes(object: object): object {
  const entries = Object.entries(object).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? writeDateTime(value) : value,
  ]);
  return Object.fromEntries(entries);
}
