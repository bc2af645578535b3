/** Runs `action` for each item with limited concurrency. */
export async function forEachConcurrently<T>(
  items: readonly T[],
  limit: number,
  action: (item: T) => Promise<void>,
): Promise<void> {
  const remaining = [...items];
  const worker = async () => {
    for (let item = remaining.shift(); item !== undefined; item = remaining.shift()) await action(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}
