import type { Response } from '../http.ts';

export interface List {
  readonly response: Response;
  readonly orders: readonly unknown[];
}

/** An order as text for comparison, independent of the order of its fields. */
const keyOf = (order: unknown): string =>
  JSON.stringify(order, (_, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });

/** The orders that only the earlier list has, and those that only the later one has. */
export function changesOf(before: Pick<List, 'orders'>, after: Pick<List, 'orders'>) {
  return { removed: missingIn(after, before), added: missingIn(before, after) };
}

function missingIn({ orders }: Pick<List, 'orders'>, { orders: expected }: Pick<List, 'orders'>): unknown[] {
  const counts = new Map<string, number>();
  for (const order of orders) counts.set(keyOf(order), (counts.get(keyOf(order)) ?? 0) + 1);
  return expected.filter((order) => {
    const left = counts.get(keyOf(order)) ?? 0;
    counts.set(keyOf(order), left - 1);
    return left <= 0;
  });
}
