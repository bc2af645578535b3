/** One column of a chart over time. */
export interface TimeColumn<S extends string> {
  readonly from: string;
  readonly counts: Readonly<Record<S, number>>;
  readonly total: number;
}

/** Counts items in columns of equal duration, of which the last contains `now`. */
export function columnsOf<T, S extends string>(
  items: readonly T[],
  statuses: readonly S[],
  classify: (item: T) => readonly [at: string, status: S],
  { size, count, now = Date.now() }: { readonly size: number; readonly count: number; readonly now?: number },
): readonly TimeColumn<S>[] {
  const first = Math.floor(now / size) - count + 1;
  const columns = Array.from(
    { length: count },
    () => Object.fromEntries(statuses.map((status) => [status, 0])) as Record<S, number>,
  );
  for (const item of items) {
    const [at, status] = classify(item);
    const column = columns[Math.floor(Date.parse(at) / size) - first];
    if (column) column[status] += 1;
  }
  return columns.map((counts, index) => ({
    from: new Date((first + index) * size).toISOString(),
    counts,
    total: statuses.reduce((sum, status) => sum + counts[status], 0),
  }));
}
