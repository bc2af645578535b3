/**
 * Runs the work for every item with limited concurrency, and reports results in item order. After a failure, starts no
 * further item, and rejects once the running ones have finished.
 */
export async function runConcurrently<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<R>,
  report: (item: T, result: R) => void,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  let reported = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at] as T).catch((error) => {
        next = items.length;
        throw error;
      });
      for (; reported in results; reported++) report(items[reported] as T, results[reported] as R);
    }
  };
  const settled = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  const failure = settled.find(({ status }) => status === 'rejected');
  if (failure) throw (failure as PromiseRejectedResult).reason;
  return results;
}
