/** RFC 3339 without leap seconds, and `+0000` for UTC, as several languages write it. */
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d{1,9})?(Z|\+0000|[+-]\d\d:\d\d)$/i;

export function parseDateTime(text: string): bigint | undefined {
  if (!rfc3339.test(text)) return undefined;
  try {
    const at = Temporal.Instant.from(text).epochMilliseconds;
    // A year of more than four digits could not be written as a date-time again.
    return at >= EARLIEST && at <= LATEST ? BigInt(at) : undefined;
  } catch {
    return undefined;
  }
}

const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z');
export const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

export function writeDateTime(time: bigint): string {
  return new Date(Number(time)).toISOString();
}

/** An object of which every whole number is a time, as it is shown. */
export function writeTimes(object: object): object {
  const entries = Object.entries(object).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? writeDateTime(value) : value,
  ]);
  return Object.fromEntries(entries);
}
