const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** The first Monday after 1970 began: weeks are counted from it. */
const FIRST_MONDAY = 4 * DAY_MS;
/** No date has a year before it: the week that it is in begins with it. */
const FIRST_DATE = '0000-01-01';

/** The week, from Monday to Sunday in UTC, that a moment is in. */
export function weekOf(time: bigint): number {
  return Math.floor((Number(time) - FIRST_MONDAY) / WEEK_MS);
}

/** The Monday of a week, as a date. */
export function mondayOf(week: number): string {
  const text = new Date(week * WEEK_MS + FIRST_MONDAY).toISOString();
  return text.startsWith('-') ? FIRST_DATE : text.slice(0, FIRST_DATE.length);
}
