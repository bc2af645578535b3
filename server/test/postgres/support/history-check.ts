import { findViolation, type Operation } from './linearizable.ts';
import { type OrderState, operationOf } from './order-register.ts';
import type { History, Mark } from './recorded-clients.ts';

/** Everything impossible in a history, in words. */
export function violationsIn(history: History): string[] {
  const marks = new Set([...history.seen.keys(), ...history.ids.keys()]);
  return [...marks].flatMap((mark) => [...wrongIds(history, mark), ...wrongResponses(history, mark)]);
}

/** One placement, one order: retried or not. */
function wrongIds({ ids }: History, mark: Mark): string[] {
  const all = [...(ids.get(mark) ?? [])];
  return all.length > 1 ? [`${mark} was placed ${all.length} times, as ${all.join(', ')}`] : [];
}

function wrongResponses({ seen, lists }: History, mark: Mark): string[] {
  const listed = lists.map(({ start, end, complete }) => {
    const shown = complete.get(mark);
    const response = shown === undefined ? 'missing' : shown ? 'complete' : 'not complete';
    return { kind: 'v1 list', start, end, response } as const;
  });
  const operations = [...(seen.get(mark) ?? []), ...listed]
    .map(operationOf)
    .filter((operation): operation is Operation<OrderState> => operation !== undefined);
  const violation = findViolation<OrderState>('absent', operations);
  if (!violation) return [];
  const responses = violation.impossible.map(
    ({ label, start, end }) => `${label} (${start.toFixed(1)}–${end.toFixed(1)})`,
  );
  return [`${mark} was ${violation.state}: none of ${responses.join(', ')} can follow`];
}
