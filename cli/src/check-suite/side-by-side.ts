/**
 * Does the work for every item, so many at a time, and tells the results in the order of the items. After a failure, it
 * begins with no further item, and rejects once those under way have ended.
 */
export async function sideBySide<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<R>,
  tell: (item: T, result: R) => void,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  let told = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at] as T).catch((error) => {
        next = items.length;
        throw error;
      });
      for (; told in results; told++) tell(items[told] as T, results[told] as R);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: most }, worker));
  const failure = ended.find(({ status }) => status === 'rejected');
  if (failure) throw (failure as PromiseRejectedResult).reason;
  return results;
}
