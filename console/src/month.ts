const DAY_MS = 86_400_000;

/** A day as `YYYY-MM-DD`, in UTC. */
export const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** The start of a day written as `YYYY-MM-DD`; undefined if there is no such day. */
export function parseDay(text: string): number | undefined {
  const at = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at) && dayOf(at) === text ? at : undefined;
}

/** The same day of another month, or its last day. */
export function addMonths(at: number, months: number): number {
  const date = new Date(at);
  const day = date.getUTCDate();
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate();
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, Math.min(day, last));
}

export const addDays = (at: number, days: number) => at + days * DAY_MS;

/** Monday is 0. */
export const weekday = (at: number) => (new Date(at).getUTCDay() + 6) % 7;

/** The weeks of the month that contains a day, from Monday to Sunday, with the days of the months around it. */
export function weeksOf(at: number): ReadonlyArray<readonly number[]> {
  const first = at - (new Date(at).getUTCDate() - 1) * DAY_MS;
  const start = addDays(first, -weekday(first));
  const next = addMonths(first, 1);
  const weeks = Math.ceil((next - start) / (7 * DAY_MS));
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => addDays(start, 7 * week + day)),
  );
}
