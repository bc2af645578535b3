import type { StoreSummary } from '../../client/src/index.ts';
import { orderStatuses } from './api/store.ts';
import { statusesOf } from './orders-search.ts';

/** A summary has at most this many weeks; a full one may omit earlier weeks. */
const MAX_WEEKS = 520;

/** The number of orders that match a search, if the summary can tell; otherwise undefined. */
export function countMatching(summary: StoreSummary | undefined, search: string): number | undefined {
  if (!summary) return undefined;
  const given = new URLSearchParams(search);
  const complete = given.get('complete');
  const [from, to] = [given.get('shipDateFrom'), given.get('shipDateTo')];
  const isKnown = (given.get('status') ?? '').split(',').every((name) => !name || statuses.has(name));
  if (given.get('petId') || !isKnown || (complete && !/^(true|false)$/.test(complete))) return undefined;
  const chosen = statusesOf(search);
  const counted = orderStatuses.filter(
    (status) =>
      (chosen.length === 0 || chosen.includes(status)) &&
      (!complete || (complete === 'true') === (status === 'delivered')),
  );
  const sum = (counts: StoreSummary['orders']) => counted.reduce((all, status) => all + counts[status], 0);
  if (!from && !to) return sum(summary.orders);
  if (summary.weeks.length >= MAX_WEEKS || ![from, to].every((time) => !time || isMonday(time))) {
    return undefined;
  }
  return summary.weeks
    .filter(({ week }) => (!from || week >= from.slice(0, 10)) && (!to || week < to.slice(0, 10)))
    .reduce((all, week) => all + sum(week), 0);
}

const statuses = new Set<string>(orderStatuses);

/** Whether a timestamp is Monday 00:00 UTC, where the weeks of a summary start. */
const isMonday = (time: string) =>
  /^\d{4}-\d\d-\d\dT00:00:00Z$/.test(time) && new Date(time).getUTCDay() === 1;
